// Where every lane is at a moment of the one clock they share: pure functions of (course, clock), no DOM, no time of their own.
// The clock counts seconds of the engine; each lane started at 0 and ran alone.

import { countUpTo, speedupOver, speedupWithPrompt } from "../shared/figures.ts";
import { gapAt } from "./lane_gap.ts";
import type { Course, Lane } from "./race_reading.ts";

const PLAIN_LASTS = 12;
const ROUND_NUMBERS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

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

export type Moment = ReturnType<typeof laneAt>;

/** A lane at a moment of the clock. */
export function laneAt(course: Course, lane: Lane, clock: number) {
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
    /** The clock is past what has been recorded of it. */
    awaited: !lane.closed && clock >= lane.known,
    rank: finished ? rankOf(course, lane) : null,
    /** Null where it is not known. */
    gap,
    /** Of a race that both lanes have finished; null where it cannot be trusted. */
    speedup: ratio,
    /** The same with the time to read the prompt on both sides. */
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
