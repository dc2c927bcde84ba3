// How far a lane and the plain lane are apart at a moment of their clock: tokens while both write, seconds once one of them has
// finished. Pure, no DOM. All of it is counted in rounds that were recorded.

import { tokensAt } from "../shared/figures.ts";
import type { Lane } from "./race_reading.ts";
import type { Gap } from "./race_types.ts";

/** Two ends that lie closer together than this share of the longer time are one. */
const SAME = 1e-6;

/** Whether a lane is known at a moment: it has been recorded that far, or it has ended by itself. */
function isKnown(lane: Lane, clock: number) {
  return lane.done ? lane.closed : lane.ends.length > 0 && clock <= lane.known;
}

/**
 * The gap between a lane and the plain one; null where it is not known.
 *
 * While both write, it is counted in tokens. Once one has finished, it is the time from then until now, or until the other one has
 * finished too: `from` and `to` are its ends on the clock.
 */
export function gapAt(plain: Lane, lane: Lane, clock: number): Gap | null {
  if (!isKnown(plain, clock) || !isKnown(lane, clock)) return null;
  const ended = lane.done && clock >= lane.known;
  const plainEnded = plain.done && clock >= plain.known;
  if (!ended && !plainEnded) return apart(tokensAt(lane, clock) - tokensAt(plain, clock));
  const first = ended && (!plainEnded || lane.known <= plain.known) ? lane : plain;
  const second = first === lane ? plain : lane;
  const final = ended && plainEnded;
  const [from, to] = [first.known, Math.min(clock, second.known)];
  return {
    kind: final && to - from <= SAME * to ? "together" : first === lane ? "earlier" : "later",
    final,
    tokens: second.done ? second.total - tokensAt(second, clock) : null,
    fewer: final ? plain.total - lane.total : 0,
    from,
    to,
  };
}

/** @param ahead tokens. */
function apart(ahead: number): Gap {
  const kind = ahead > 0 ? "ahead" : ahead < 0 ? "behind" : "level";
  return { kind, final: false, tokens: Math.abs(ahead), fewer: 0, from: 0, to: 0 };
}
