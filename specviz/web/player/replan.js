// The same text with another draft length: a pure function of where the draft would have agreed. Holds where the text does
// not depend on the draft: a chain at temperature 0, or with shared noise. Steps are exact; times are calculated.

/** @import { Costs, Round, Run, Verdict } from "../shared/types" */

import { isTrusted, totalsOf } from "../shared/figures.js";
import { english } from "../shared/words.js";

export const ESTIMATE = english("estimate");
export const REPLANNED = english("estimate: steps are exact, times are calculated");

/**
 * Rounds of a run with draft length k over a text of as many tokens as there are `matches`; matches[i] says whether the draft,
 * given the true text before index i, would have written the token there. A text shorter than the `limit` ended by itself:
 * drafts go past its end, and the round that accepts its last token has no closing one.
 * @param {boolean[]} matches
 * @param {number} k
 */
export function replan(matches, k, limit = matches.length) {
  const rounds = [];
  for (let start = 0; start < matches.length; ) {
    const drafted = Math.min(k, limit - start - 1);
    let accepted = 0;
    while (accepted < drafted && start + accepted < matches.length && matches[start + accepted]) accepted += 1;
    const closed = start + accepted < matches.length;
    rounds.push({ start, drafted, accepted, closed });
    start += accepted + (closed ? 1 : 0);
  }
  return rounds;
}

/**
 * Seconds of drafting and of the target's pass over so many drafts: n·c and v[n] of the target's pass over one token.
 * @param {number} drafted
 * @param {Costs} costs
 */
export function priceOf(drafted, { c, v, pass_s: pass }) {
  return { draft: drafted * c * pass, verify: (v[Math.min(drafted, v.length - 1)] ?? 1) * pass };
}

/** Whether a run can be replanned, and was prepared for it. @param {Run} run */
export function canReplan(run) {
  const { drafterText } = run;
  if (!run.replan || !run.finished || run.stop === "cancelled" || run.branching) return false;
  return (
    drafterText.replannable && drafterText.certain && !drafterText.lossy && run.replan.matches.length === run.ids.length
  );
}

/**
 * The run as it would have gone with draft length k. What the draft would have written instead of the text is not known.
 * @param {Run} run one that can be replanned.
 * @param {number} k
 * @returns {Run}
 */
export function replanned(run, k) {
  const { ids } = run;
  const { matches, ...costs } = run.replan ?? { matches: [], c: 0, v: [], pass_s: 0 };
  let clock = 0;
  const rounds = replan(matches, k, run.limit).map(({ start, drafted, accepted, closed }) => {
    const { draft, verify } = priceOf(drafted, costs);
    const rejected = closed && accepted < drafted;
    /** @type {(i: number) => Verdict} */
    const verdict = (i) => (i < accepted ? "accepted" : rejected && i === accepted ? "rejected" : "discarded");
    const began = clock;
    clock += draft + verify;
    /** @type {Round} */
    const round = {
      start,
      accepted: Array.from({ length: accepted }, (_, i) => i),
      drafted: Array.from({ length: drafted }, (_, i) => ({
        token: i < accepted ? ids[start + i] : null,
        parent: i - 1,
        draft_prob: null,
        target_prob: null,
        draw: null,
        verdict: verdict(i),
      })),
      closing: closed
        ? { token: ids[start + accepted], how: rejected ? "corrected" : drafted ? "bonus" : "own", draw: null }
        : null,
      began_s: began,
      draft_s: draft,
      verify_s: verify,
      ended_s: clock,
      source: null,
    };
    return round;
  });
  return {
    ...run,
    id: `${run.id} k=${k}`,
    k,
    replanned: true,
    rounds,
    ends: rounds.map((round) => round.ended_s),
    totals: totalsOf(rounds),
    speedups: [],
    timed: 0,
    timing: isTrusted(run) ? null : doubted(run),
    plain: { ...run.plain, ...pricedPlain(ids, priceOf(0, costs).verify), done: true },
  };
}

/**
 * What is said of times that are calculated from those of a run that is not trusted: no number of that run.
 * @param {Run} run
 */
function doubted({ timing }) {
  const grounds = english("The times of the real run, from which these are calculated, are not trusted.");
  const why = timing && !timing.trusted ? timing.why : english("this run's times are not trusted");
  return { trusted: false, why, between: "", grounds };
}

/**
 * Plain decoding of the same text, one pass of so many seconds for each token.
 * @param {number[]} ids
 * @param {number} pass
 */
function pricedPlain(ids, pass) {
  /** @type {Round[]} */
  const rounds = ids.map((token, i) => ({
    start: i,
    drafted: [],
    accepted: [],
    closing: { token, how: "own", draw: null },
    began_s: i * pass,
    draft_s: 0,
    verify_s: pass,
    ended_s: (i + 1) * pass,
  }));
  return { ids, rounds, ends: rounds.map((round) => round.ended_s), totals: totalsOf(rounds) };
}
