// Why a run was faster or slower than plain decoding, in one sentence with its numbers. Pure, no DOM.

/** @import { Ledger, Run } from "../shared/types" */

import { NOBODY } from "../shared/drafter_text.js";
import { isTrusted } from "../shared/figures.js";
import { counted, duration, number } from "../shared/labels.js";
import { ledgerOf } from "../shared/ledger.js";
import { isResting } from "../shared/round.js";

/**
 * What decided: the times are not trusted ("busy"), nothing to compare with ("unknown"), nothing was drafted at all ("plain"), a short text,
 * most passes had nothing to check ("idle"), wrong guesses, dear passes, dear drafts, the work around them ("rest"), or it paid.
 * @typedef {"busy" | "unknown" | "plain" | "short" | "idle" | "guesses" | "passes" | "drafts" | "rest" | "paid"} Reason
 */

/** A run of fewer passes says little: one of them decides. */
const FEW_PASSES = 6;

/** A speedup nearer to 1 than this is none: it is shown as 1.00. */
const EVEN = 0.005;

/**
 * What decided how fast a run was, and how that is known.
 * @param {Run} run one that is over.
 * @returns {{ reason: Reason, words: string, how: string }}
 */
export function causeOf(run) {
  if (!isTrusted(run)) return { reason: "busy", words: busyWords(run), how: run.timing?.grounds ?? "" };
  const ledger = ledgerOf(run);
  const how = ledger ? accountOf(ledger) : "";
  const reason = ledger ? reasonOf(run, ledger) : "unknown";
  if (!ledger || reason === "unknown") return { reason, words: unknownWords(run), how };
  return { reason, words: wordsOf(run, ledger, reason), how };
}

/**
 * @param {Run} run
 * @param {Ledger} ledger
 * @returns {Reason}
 */
function reasonOf(run, ledger) {
  if (run.drafterText.name === NOBODY) return "plain";
  const { tokens, cost, rounds, idle, drafted } = ledger;
  if (tokens / cost > 1 + EVEN) return "paid";
  if (rounds < FEW_PASSES) return "short";
  if (2 * idle >= rounds) return "idle";
  const { wrong, judged } = guessesOf(run);
  const hopeless = drafted + 1 < cost; // it would have lost with every guess right
  if (2 * wrong > judged && !hopeless) return "guesses";
  return dearest(ledger);
}

/**
 * What takes the most time beyond a plain token.
 * @param {Ledger} ledger
 * @returns {Reason}
 */
function dearest({ drafting, verifying, rest }) {
  if (verifying >= drafting && verifying >= rest) return "passes";
  return drafting >= rest ? "drafts" : "rest";
}

/** @param {Run} run */
function guessesOf({ totals }) {
  const { judged, accepted } = totals[totals.length - 1];
  return { judged, accepted, wrong: judged - accepted };
}

/**
 * @param {Run} run
 * @param {Ledger} ledger
 * @param {Reason} reason
 */
function wordsOf(run, ledger, reason) {
  const { accepted, judged, wrong } = guessesOf(run);
  const pass = `a pass over ${counted(Math.round(ledger.checked))} costs ${number(ledger.pass)} of one here`;
  const drafting = `drafting ${counted(Math.round(ledger.drafted))} takes as long as ${number(ledger.drafting)} plain ones`;
  /** @type {Partial<Record<Reason, string>>} */
  const causes = {
    plain: "Nothing was drafted: this is plain decoding.",
    paid: `${accepted} of ${counted(judged, "guess")} ${judged === 1 ? "was" : "were"} right`,
    short: `The text is short, and with ${counted(run.ids.length)} in ${counted(ledger.rounds, "pass")} one wrong guess decides`,
    idle: `${ledger.idle} of ${counted(ledger.rounds, "pass")} had no guess to check${restingWords(run)}`,
    guesses: `${wrong} of ${counted(judged, "guess")} ${judged === 1 ? "was" : "were"} wrong, and ${dearest(ledger) === "drafts" ? drafting : pass}`,
    passes: capitalised(pass),
    drafts: capitalised(drafting),
    rest: `What a round does beside its passes takes as long as ${number(ledger.rest)} plain tokens`,
  };
  const cause = causes[reason] ?? "";
  return reason === "plain" ? cause : `${cause}: ${balanceOf(ledger)}.`;
}

/** @param {string} words */
function capitalised(words) {
  return words[0].toUpperCase() + words.slice(1);
}

/** @param {Run} run */
function restingWords({ rounds }) {
  return rounds.some(isResting) ? ", because drafting did not pay" : "";
}

/**
 * What a round brought for its time; with a second digit where the first would show two that differ as equal.
 * @param {Ledger} ledger
 */
function balanceOf({ tokens, cost }) {
  const digits = number(tokens) === number(cost) ? 2 : 1;
  return `a round brings ${number(tokens, digits)} tokens in the time of ${number(cost, digits)} plain ones`;
}

/** @param {Run} run */
function busyWords(run) {
  const { timing } = run;
  const why = timing && !timing.trusted ? timing.why : "they show more than is possible";
  return `The times are not trusted (${why}), so that no speed is given. What was drafted and accepted is exact.`;
}

/** @param {Run} run */
function unknownWords(run) {
  const { accepted, judged } = guessesOf(run);
  const guesses = judged ? `${accepted} of ${counted(judged, "guess")} ${judged === 1 ? "was" : "were"} right. ` : "";
  return `${guesses}Plain decoding was not measured on this prompt, so that no speed is given.`;
}

/**
 * How the time of a round adds up.
 * @param {Ledger} ledger
 */
function accountOf({ rounds, drafting, verifying, rest, cost, plain_s: plain }) {
  const parts = `1 for the token itself, ${number(drafting, 2)} for drafting, ${number(verifying, 2)} for checking more than one token, ${number(rest, 2)} for the rest`;
  return `The mean of ${counted(rounds, "round")} took as long as ${number(cost, 2)} plain tokens of ${duration(plain)}: ${parts}. Measured on this prompt.`;
}
