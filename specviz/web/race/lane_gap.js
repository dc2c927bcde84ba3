// How far a lane and the plain lane are apart at a moment of their clock: tokens while both write, seconds once one of them has
// finished. Pure, no DOM. All of it is counted in rounds that were recorded.

/** @import { Gap, Lane } from "../shared/types" */

import { tokensAt } from "../shared/figures.js";

/** Two ends that lie closer together than this share of the longer time are one. */
const SAME = 1e-6;

/**
 * Whether a lane is known at a moment: it has been recorded that far, or it has ended by itself.
 * @param {Lane} lane
 * @param {number} clock
 */
function isKnown(lane, clock) {
  return lane.done ? lane.closed : lane.ends.length > 0 && clock <= lane.known;
}

/**
 * The gap between a lane and the plain one; null where it is not known. `from` and `to` are where it is drawn on the lane's track.
 *
 * While both write, it lies between the two of them. Once one has finished, it begins where the other one was at that moment and
 * grows with it: its length is what was still to be written, its seconds are those that this has taken.
 * @param {Lane} plain
 * @param {Lane} lane
 * @param {number} clock
 * @returns {Gap | null}
 */
export function gapAt(plain, lane, clock) {
  if (!isKnown(plain, clock) || !isKnown(lane, clock)) return null;
  const own = tokensAt(lane, clock);
  const other = tokensAt(plain, clock);
  const ended = lane.done && clock >= lane.known;
  const plainEnded = plain.done && clock >= plain.known;
  if (!ended && !plainEnded) return apart(lane, own, other);
  const first = ended && (!plainEnded || lane.known <= plain.known) ? lane : plain;
  const second = first === lane ? plain : lane;
  const final = ended && plainEnded;
  const seconds = Math.min(clock, second.known) - first.known;
  return {
    kind: final && seconds <= SAME * second.known ? "together" : first === lane ? "earlier" : "later",
    final,
    seconds,
    tokens: second.done ? second.total - tokensAt(second, clock) : null,
    fewer: final ? plain.total - lane.total : 0,
    ...between(tokensAt(second, first.known) / second.goal, tokensAt(second, clock) / second.goal),
  };
}

/**
 * @param {Lane} lane
 * @param {number} own
 * @param {number} other
 * @returns {Gap}
 */
function apart(lane, own, other) {
  return {
    kind: own > other ? "ahead" : own < other ? "behind" : "level",
    final: false,
    seconds: 0,
    tokens: Math.abs(own - other),
    fewer: 0,
    ...between(Math.min(own, other) / lane.goal, Math.max(own, other) / lane.goal),
  };
}

/**
 * @param {number} from
 * @param {number} to
 */
function between(from, to) {
  return { from: Math.min(1, from), to: Math.min(1, to) };
}
