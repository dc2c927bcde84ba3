// What one round says of itself: pure functions of a recorded round, no DOM.

import type { Round } from "./json_types.ts";
import type { Position } from "./phases.ts";
import type { Slot } from "./run_types.ts";

/** How many tokens the round added to the text. */
export function tokensOf(round: Round) {
  return round.accepted.length + (round.closing ? 1 : 0);
}

/** The ids that the round added to the text. */
export function idsIn(round: Round): number[] {
  const accepted = round.accepted.map((i) => round.drafted[i].token as number);
  return round.closing ? [...accepted, round.closing.token] : accepted;
}

/** The slots of a round whose tokens it added to the text, in their order. */
export function slotsOf({ accepted, closing }: Round): Slot[] {
  return closing ? [...accepted, "closing"] : accepted;
}

/** How each of these tokens came. */
export function originsOf({ accepted, closing }: Round) {
  return [...accepted.map(() => "accepted" as const), ...(closing ? [closing.how] : [])];
}

/** The drafted tokens in the order in which they were judged; those that never were are not among them. */
export function judgedOrder(round: Round) {
  return round.drafted.map((_, i) => i).filter((i) => round.drafted[i].verdict !== "discarded");
}

export function judgedOf(round: Round) {
  return judgedOrder(round).length;
}

/** Whether any draft of the round was rejected. */
export function hasRejection(round: Round) {
  return round.drafted.some((drafted) => drafted.verdict === "rejected");
}

/** Whether nothing was drafted because it would not pay, and not because nothing was found or the text was to end. */
export function isResting(round: Round) {
  return round.allowed === 0;
}

/** Whether the drafts are a tree and not a chain. */
export function branches(round: Round) {
  return round.drafted.some((drafted, i) => drafted.parent !== i - 1);
}

/** The index of the drafted token at the end of the accepted path; -1 where none was accepted. */
export function endOfPath(round: Round) {
  return round.accepted.at(-1) ?? -1;
}

/** The rejected token at which the accepted path ended, -1 where there is none: in a tree others may have been rejected before. */
export function wallOf(round: Round) {
  const end = endOfPath(round);
  return round.drafted.findLastIndex((drafted) => drafted.verdict === "rejected" && drafted.parent === end);
}

/** How many guesses were rejected for the position of this one, itself included. */
export function rejectedBeside(round: Round, index: number) {
  const { parent } = round.drafted[index];
  return round.drafted.filter((drafted) => drafted.verdict === "rejected" && drafted.parent === parent).length;
}

/** True if a round's draft was copied from the text or from an earlier one. */
export function isCopy({ source, drafted }: Round) {
  return typeof source === "number" && drafted.length > 0;
}

/**
 * Where in prompt and text a round's draft was copied from: [first index, index after the last]; null where it was not, and where it was
 * copied from an earlier text.
 */
export function copiedOf(round: Round | undefined): [number, number] | null {
  if (!round || typeof round.source !== "number" || typeof round.source_text === "number" || !isCopy(round))
    return null;
  return [round.source, round.source + round.drafted.length];
}

/** Where in prompt and text the words stand that were found again before they were copied from: as `copiedOf`. */
export function matchedOf(round: Round | undefined): [number, number] | null {
  const copied = copiedOf(round);
  if (!copied || !round?.match || typeof round.source_text === "number" || round.match.length > copied[0]) return null;
  return [copied[0] - round.match.length, copied[0]];
}

/** Whether the chain was judged as a whole, from its end down to the longest prefix that passes, with random numbers. */
export function judgedAsBlock(round: Round) {
  return round.drafted.some(({ bound, draw }) => bound != null && draw !== null);
}

/** How many verdicts are shown one after the other. All that follow a rejection are one; of a block, what it keeps is one. */
export function verdictsOf(round: Round) {
  const [all, accepted] = [round.drafted.length, round.accepted.length];
  if (judgedAsBlock(round)) return all - accepted + Math.min(1, accepted);
  return Math.min(all, judgedOf(round) + 1);
}

/** Which of those verdicts is that of one drafted token, counted from 0: the verdict of a block falls from the right. */
function verdictTurn(round: Round, index: number) {
  const [all, accepted] = [round.drafted.length, round.accepted.length];
  if (judgedAsBlock(round)) return Math.min(all - 1 - index, all - accepted);
  const order = judgedOrder(round);
  const turn = order.indexOf(index);
  return turn < 0 ? order.length : turn;
}

/** Which of the verdicts is the rejection at which the accepted path ends, counted from 1; 0 where there is none. */
export function turnOf(round: Round) {
  const wall = wallOf(round);
  return wall < 0 ? 0 : verdictTurn(round, wall) + 1;
}

/** What can be seen of one drafted token at a moment: whether it is typed, and whether its verdict is shown. */
export function slotAt(round: Round, position: Position, index: number) {
  const typed = index < position.typed;
  return { typed, judged: typed && (position.landed || verdictTurn(round, index) < position.judged) };
}

/** Where nothing was discarded, the part of the judging after which the beat of stillness is over. */
const BEAT = 0.8;

/**
 * How far the rejection that ends a round has been staged: nothing yet, a beat in which its verdict stands alone ("still"), or the
 * wall that drops before it and all after it fading ("walled").
 */
export function stagedAt(
  round: Round,
  { phase, fraction, judged }: Pick<Position, "phase" | "fraction" | "judged">,
): "" | "still" | "walled" {
  const turn = turnOf(round);
  if (!turn || judged < turn) return "";
  if (phase === "commit" || judged > turn) return "walled";
  return turn === verdictsOf(round) && fraction >= BEAT ? "walled" : "still";
}
