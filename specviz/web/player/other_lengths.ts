// A recorded run cut into passes for another draft length k: its guesses are known, so that nothing has to run. Pure, no DOM.

import { ledgerOf } from "../shared/ledger.ts";
import { branches } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";

/** The lengths that are compared. */
export const LENGTHS = Array.from({ length: 16 }, (_, i) => i + 1);

/** Drafters whose guess for a position follows from the text before it alone; a head's also from where its round began. */
const BY_TEXT = ["model", "copy", "first layers", "fewer bits"];

/**
 * `passes`: the tokens of each; `closings`: how its last token came; `drafted`: by pass; `estimated`: guesses on which it rests and which the
 * run did not make.
 */
export type Cut = { passes: number[]; closings: string[]; drafted: number[]; estimated: number };

/** Whether a run can be cut for another k: a finished chain at temperature 0. */
export function canBeCut(run: Run) {
  const { greedy, lossy } = run.drafterText;
  return (
    run.complete && greedy && !lossy && run.rounds.some(({ drafted }) => drafted.length) && !run.rounds.some(branches)
  );
}

/** By position of the text whether the guess for it was right; null where none was made. */
function guessesOf({ rounds, ids }: Run) {
  const right: (boolean | null)[] = ids.map(() => null);
  for (const { start, accepted, drafted } of rounds) {
    right.fill(true, start, start + accepted.length);
    const wall = start + accepted.length;
    if (wall < right.length && drafted.some(({ verdict }) => verdict === "rejected")) right[wall] = false;
  }
  return right;
}

/** The passes with another k. A guess that was not made counts as right where most guesses were. */
export function cutFor(run: Run, k: number): Cut {
  const right = guessesOf(run);
  const { accepted, judged } = run.totals[run.totals.length - 1];
  const usual = 2 * accepted >= judged;
  const cut: Cut = { passes: [], closings: [], drafted: [], estimated: 0 };
  for (let at = 0; at < right.length; at += cut.passes[cut.passes.length - 1]) {
    const most = Math.min(k, right.length - at - 1);
    let kept = 0;
    for (let on = true; on && kept < most; ) {
      const guess = right[at + kept];
      if (guess === null) cut.estimated += 1;
      on = guess ?? usual;
      if (on) kept += 1;
    }
    cut.passes.push(kept + 1);
    cut.drafted.push(most);
    cut.closings.push(closingOf(kept < k ? right[at + kept] : null, kept, most));
  }
  return cut;
}

/** How the last token of a pass came, after `kept` right guesses of at most `most`. */
function closingOf(guess: boolean | null, kept: number, most: number) {
  if (kept < most || guess === false) return "corrected";
  if (guess) return "accepted"; // the text ends with a right guess
  return most ? "bonus" : "own";
}

/** Whether the cut is what a run would be, apart from guesses that were not made. */
export function followsText(run: Run) {
  return (
    BY_TEXT.includes(run.drafterText.picture) && !run.rounds.some(({ source_text }) => typeof source_text === "number")
  );
}

/** The speedup with each of `LENGTHS`, calculated with what passes and guesses took in this run; none where plain decoding was not measured. */
export function speedupsOf(run: Run) {
  const ledger = ledgerOf(run);
  if (!ledger?.drafted) return [];
  const more = (ledger.pass - 1) / ledger.drafted;
  const guess = (ledger.drafting * ledger.rounds) / Math.max(1, ledger.rounds - ledger.idle) / ledger.drafted;
  return LENGTHS.map((k) => {
    const { passes, drafted } = cutFor(run, k);
    const time = drafted.reduce((sum, n) => sum + 1 + (more + guess) * n, 0) + ledger.rest * passes.length;
    return run.ids.length / time;
  });
}
