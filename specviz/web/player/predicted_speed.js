// The speedup that another draft length is predicted to have on the same text. Where the text does not depend on the draft the steps are
// exact; else they follow from how often the guesses of this run were right, position by position. Times are always priced. Pure, no DOM.

/** @import { Ledger, Round, Run } from "../shared/types" */

import { NOBODY, selectedBy } from "../shared/drafter_text.js";
import { isTrusted } from "../shared/figures.js";
import { ledgerOf, mean } from "../shared/ledger.js";
import { branches, isResting, judgedOf } from "../shared/round.js";
import { drawnHead } from "../shared/trained_heads.js";
import { layoutOf } from "../shared/tree_layout.js";
import { english, several, word } from "../shared/words.js";
import { canReplan, priceOf, replan } from "./replan.js";

/** The longest draft that is predicted, as the settings allow it. */
export const LONGEST_K = 16;

/** From fewer checked guesses nothing is predicted, and from fewer at one position its rate is that of all. */
const [FEW_GUESSES, FEW_AT_POSITION] = [10, 4];

/** So many times the longest draft that was checked are priced, no more. */
const FARTHEST = 2;

/**
 * `speeds[k]` is the predicted speedup with draft length k, 1 at k = 0; priced only as far as the run gives grounds. `exact` says that the steps are.
 * Where nothing can be predicted `why` says it in a sentence and `speeds` is empty.
 * @typedef {{ speeds: number[], exact: boolean, why: string }} Predicted
 */

/**
 * @param {Run} run the run that was recorded.
 * @returns {Predicted}
 */
export function predictedSpeeds(run) {
  const why = whyNot(run);
  const ledger = why ? null : ledgerOf(run);
  if (!ledger) return { speeds: [], exact: false, why: why || word(NO_PLAIN) };
  const exact = canReplan(run);
  return { speeds: exact ? replannedSpeeds(run) : pricedSpeeds(run, ledger), exact, why: "" };
}

/**
 * The draft length of the highest predicted speedup, 0 where plain decoding has it; the shortest of equal ones.
 * @param {number[]} speeds
 */
export function bestLength(speeds) {
  return speeds.indexOf(Math.max(...speeds));
}

const NO_PLAIN = english("Plain decoding was not measured on this prompt, so that nothing can be compared with it.");

/** @param {Run} run */
function whyNot(run) {
  if (!run.over) return word("The run goes on: what another k would bring is known at its end.");
  if (run.drafterText.name === NOBODY)
    return word("Nothing was drafted in this run, so that nothing is known of its guesses.");
  if (!run.plain.done) return word(NO_PLAIN);
  if (!isTrusted(run)) return word("The times of this run are not trusted, so that nothing is predicted from them.");
  const { judged } = run.totals[run.totals.length - 1];
  if (judged < FEW_GUESSES && !canReplan(run)) {
    return several(
      judged,
      "Only {n} guess of this run was checked: too few to predict from.",
      "Only {n} guesses of this run were checked: too few to predict from.",
    );
  }
  return "";
}

/** @param {Run} run */
function replannedSpeeds(run) {
  const { matches, ...costs } = run.replan ?? { matches: [], c: 0, v: [], pass_s: 0 };
  const plain = run.ids.length * priceOf(0, costs).verify;
  return lengths(LONGEST_K).map((k) => {
    if (!k) return 1;
    const prices = replan(matches, k, run.limit).map(({ drafted }) => priceOf(drafted, costs));
    return plain / prices.reduce((sum, { draft, verify }) => sum + draft + verify, 0);
  });
}

/** @param {number} longest */
function lengths(longest) {
  return Array.from({ length: longest + 1 }, (_, k) => k);
}

/**
 * Expected tokens of a round over its expected time, in plain tokens. The time of a pass lies on the line through the measured passes over
 * one token and over a draft; a tree keeps its size.
 * @param {Run} run
 * @param {Ledger} ledger
 */
function pricedSpeeds(run, ledger) {
  const asked = run.rounds.filter((round) => !isResting(round) && round.start + 1 !== run.limit);
  const drafting = asked.filter((round) => round.drafted.length);
  const share = drafting.length / asked.length;
  const tree = run.branching || run.drafterText.shape === "tree";
  const reach = reachOf(drafting, tree);
  const more = (ledger.pass - 1) * (ledger.pass_s / ledger.plain_s);
  const slope = Math.max(0, more / (ledger.checked - 1));
  const draft = draftingOf(run, drafting, ledger);
  const rest = (ledger.rest * ledger.rounds) / (ledger.rounds - ledger.idle || 1);
  return lengths(reach.length).map((k) => {
    if (!k) return 1;
    const tokens = reach.slice(0, k).reduce((sum, each) => sum + each, 0);
    const cost = draft(k) + (tree ? Math.max(0, more) : k * slope) + rest;
    return (1 + share * tokens) / (1 + share * cost);
  });
}

/**
 * The probability that a draft is accepted up to its first, second ... token, from how often it was where it came so far; of a tree to its
 * deepest level, of a chain to twice the longest one, beyond what was seen at the rate of all.
 * @param {Round[]} rounds with drafts.
 * @param {boolean} tree
 */
function reachOf(rounds, tree) {
  const depths = rounds.map((round) => (branches(round) ? layoutOf(round.drafted).depth : judgedOf(round)));
  const deepest = Math.max(...depths);
  const all = mean(rounds, (round) => round.accepted.length) / mean(rounds, judgedOf);
  /** @type {number[]} */
  const reach = [];
  for (let at = 1; at <= (tree ? deepest : Math.min(LONGEST_K, FARTHEST * deepest)); at += 1) {
    const came = rounds.filter((round, i) => depths[i] >= at && round.accepted.length >= at - 1).length;
    const right = rounds.filter((round) => round.accepted.length >= at).length;
    reach.push((reach.at(-1) ?? 1) * (came >= FEW_AT_POSITION ? right / came : all));
  }
  return reach;
}

/**
 * What drafting k tokens takes, in plain tokens: the same for any k where one pass of a head gives all, or they are copied.
 * @param {Run} run
 * @param {Round[]} rounds with drafts.
 * @param {Ledger} ledger
 * @returns {(k: number) => number}
 */
function draftingOf({ drafterText }, rounds, { plain_s: plain }) {
  const order = drawnHead(drafterText)?.order ?? "one by one";
  const once = mean(rounds, (round) => round.draft_s) / plain;
  if (order !== "one by one" || selectedBy(drafterText)) return () => once;
  const step = once / mean(rounds, (round) => layoutOf(round.drafted).depth);
  return (k) => k * step;
}
