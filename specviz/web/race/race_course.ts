// Where every lane is at a moment of the one clock they share: pure functions of (course, clock), no DOM, no time of their own.
// The clock counts seconds of the engine; each lane started at 0 and ran alone.

import { capitalised } from "../shared/drafter_text.ts";
import { countUpTo, speedupOver, speedupWithPrompt } from "../shared/figures.ts";
import type { LiveState } from "../shared/live_events.ts";
import { RoundLog } from "../shared/live_run.ts";
import { readTrack } from "../shared/read_recording.ts";
import { originsOf } from "../shared/round.ts";
import { textOnPage, word } from "../shared/words.ts";
import { gapAt } from "./lane_gap.ts";
import type { Course, Lane, LaneView, Moment, RaceView } from "./race_types.ts";

const PLAIN_LASTS = 12;
const ROUND_NUMBERS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const CLOSED = ["done", "stopped"];

// ---------------------------------------------------------------- reading what came

/** A lane in the language that is spoken now. */
function saidLane(lane: LaneView): LaneView<string> {
  const { name, drafter, words, say, how, busy, badge } = lane;
  return {
    ...lane,
    name: drafter ? capitalised(word(drafter)) : textOnPage(name),
    words: textOnPage(words),
    say: textOnPage(say),
    how: textOnPage(how),
    busy: textOnPage(busy),
    badge: badge && { ...badge, text: textOnPage(badge.text), how: textOnPage(badge.how) },
  };
}

/**
 * The race as far as it is known.
 * @param joined one for every lane
 */
export function raceOf(view: RaceView, known: LiveState, joined: RoundLog[]): RaceView {
  const race = known.slots.race ?? view;
  const lanes = race.lanes.map((lane: RaceView["lanes"][number], index: number) => {
    const source = known.slots[`source${index}`];
    if (!source) return lane;
    joined[index] ??= new RoundLog();
    joined[index].take(known.logs[`lane${index}`]);
    const { rounds, tokens } = joined[index];
    return { ...lane, source: { ...source, rounds, tokens: { ...source.tokens, ...tokens } } };
  });
  return { ...view, ...race, lanes };
}

function readLane(lane: LaneView): Lane {
  const track = readTrack(lane.source);
  return {
    ...saidLane(lane),
    ...track,
    alone: lane.alone ? { ...readTrack(lane.alone), done: true } : null,
    origins: track.rounds.flatMap((round, index) => originsOf(round).map((how) => ({ how, round: index }))),
    known: track.ends.at(-1) ?? 0,
    total: track.ids.length,
    closed: CLOSED.includes(lane.state) && track.ends.length > 0,
    done: lane.state === "done",
    goal: 1,
  };
}

export function readCourse(view: RaceView): Course {
  const lanes = view.lanes.map(readLane);
  const plain = view.race ? (lanes.find((lane) => lane.kind === "plain") ?? null) : null;
  const known = Math.max(0, ...lanes.map((lane) => lane.known));
  const measured = lanes.find((lane) => lane.closed);
  for (const lane of lanes)
    lane.goal = lane.closed ? lane.total : Math.max(lane.total, measured?.total ?? lane.asked, 1);
  const slowest = slowestOf(view, plain, known);
  return {
    ...view,
    lanes,
    plain,
    known,
    slowest,
    span: Math.max(known, lanes.every((lane) => lane.closed) ? 0 : slowest),
  };
}

/**
 * How long the plain lane lasts; until it is recorded, how long it would at the rate measured when the pair was loaded. Without a
 * plain lane, how long the longest lane lasts.
 */
function slowestOf({ live, plain_rate: rate }: RaceView, plain: Lane | null, known: number) {
  if (plain?.closed) return plain.known;
  return plain && live && rate ? Math.max(plain.known, plain.goal / rate) : known;
}

// ---------------------------------------------------------------- the clock

/**
 * How many times slower than the engine the race is shown by default: a round number that lets the plain lane last about twelve
 * seconds, never faster than it was.
 */
export function factorFor(course: Course) {
  const exact = course.slowest > 0 ? PLAIN_LASTS / course.slowest : 1;
  if (exact <= 1) return 1;
  const ten = 10 ** Math.floor(Math.log10(exact));
  const distance = (n: number) => Math.abs(Math.log(exact / (n * ten)));
  return ten * ROUND_NUMBERS.reduce((best, n) => (distance(n) < distance(best) ? n : best));
}

/** The factor with which a race opens: real time where that can be read along, else the default (null). */
export function openingFactor(course: Course) {
  return course.real_time ? 1 : null;
}

/** The next moment at which a lane gains tokens (by = 1), or the one before (by = -1). */
export function stopBeside(course: Course, clock: number, by: number) {
  const moments = course.lanes.flatMap((lane) => lane.ends);
  if (by > 0) return Math.min(course.known, ...moments.filter((t) => t > clock + 1e-6));
  return Math.max(0, ...moments.filter((t) => t < clock - 1e-6));
}

// ---------------------------------------------------------------- a lane at a moment

export function laneAt(course: Course, lane: Lane, clock: number): Moment {
  const passes = countUpTo(lane.ends, clock);
  const { tokens } = lane.totals[passes];
  const seconds = passes ? lane.ends[passes - 1] : 0;
  const finished = lane.closed && passes === lane.ends.length;
  const { gap, ratio, withPrompt } = againstPlain(course, lane, clock);
  return {
    tokens,
    passes,
    finished,
    rate: seconds > 0 ? tokens / seconds : null,
    awaited: !lane.closed && clock >= lane.known,
    rank: finished ? rankOf(course, lane) : null,
    gap,
    speedup: ratio,
    withPrompt,
  };
}

/**
 * A lane compared with the plain one: how far apart they are, and the ratio of their times once both have finished and were judged. Before
 * that a ratio would change, and where the times cannot be trusted there is none.
 */
function againstPlain({ plain }: Course, lane: Lane, clock: number) {
  if (lane.alone && countUpTo(lane.ends, clock) === lane.ends.length)
    return { gap: null, ratio: speedupOver(lane.alone, lane, lane.ends.length).speedup, withPrompt: null };
  const gap = plain && plain !== lane ? gapAt(plain, lane, clock) : null;
  if (!plain || !gap?.final || lane.busy || !lane.judged) return { gap, ratio: null, withPrompt: null };
  return {
    gap,
    ratio: speedupOver(plain, lane, lane.ends.length).speedup,
    withPrompt: speedupWithPrompt(plain, lane, lane.ends.length),
  };
}

/**
 * Its rank among those that finished; null where a lane that may still be faster is being recorded, where the times of one cannot be
 * trusted, or were not judged yet, and where the lanes do not write equally many tokens.
 */
function rankOf(course: Course, lane: Lane) {
  if (!course.race || course.lanes.length < 2 || !lane.done) return null;
  if (course.lanes.some((other) => other.busy || (other.closed && !other.judged))) return null;
  const others = course.lanes.filter((other) => other !== lane && !["missing", "stopped"].includes(other.state));
  if (!others.length || others.some((other) => !other.closed && other.known <= lane.known)) return null;
  if (others.some((other) => other.closed && other.total !== lane.total)) return null;
  return 1 + others.filter((other) => other.closed && other.known < lane.known).length;
}
