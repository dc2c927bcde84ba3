// The race as it came, read in the language that is spoken now: its lanes with their texts and times. Pure, no DOM.

import { capitalised } from "../shared/drafter_text.ts";
import type { LiveState } from "../shared/live_events.ts";
import { RoundLog } from "../shared/live_run.ts";
import { readTrack } from "../shared/read_recording.ts";
import { originsOf } from "../shared/round.ts";
import { textOnPage, word } from "../shared/words.ts";
import type { LaneView, RaceView } from "./race_types.ts";

const CLOSED = ["done", "stopped"];

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

export type Origin = Lane["origins"][number];

/** A lane as it is shown; its `goal` is set once all lanes are read. */
export type Lane = ReturnType<typeof readLane>;

function readLane(lane: LaneView) {
  const track = readTrack(lane.source);
  return {
    ...saidLane(lane),
    ...track,
    alone: lane.alone ? { ...readTrack(lane.alone), done: true } : null,
    /** How each token came, and in which round; `own` where nothing was drafted. */
    origins: track.rounds.flatMap((round, index) => originsOf(round).map((how) => ({ how, round: index }))),
    /** Engine seconds that have been recorded. */
    known: track.ends.at(-1) ?? 0,
    total: track.ids.length,
    /** It has come to its end. */
    closed: CLOSED.includes(lane.state) && track.ends.length > 0,
    /** It has come to its end by itself. */
    done: lane.state === "done",
    /** Tokens that it will have written, as far as that is known. */
    goal: 1,
  };
}

export type Course = ReturnType<typeof readCourse>;

export function readCourse(view: RaceView) {
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
    /** Seconds of the plain lane, or of the longest. */
    slowest,
    /** Seconds of the whole clock. */
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
