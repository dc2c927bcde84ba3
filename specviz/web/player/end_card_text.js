// What the card at the end of a run says: its passes, its speedup, what decided and what to try. Pure, no DOM.

/** @import { Drafters, Run } from "../shared/types" */
/** @import { Shown } from "./figures_dial_text.js" */
/** @import { Suggestion } from "./end_suggestion.js" */

import { idsIn } from "../shared/round.js";
import { several, word } from "../shared/words.js";
import { causeOf } from "./end_cause.js";
import { suggestionOf } from "./end_suggestion.js";
import { headlineOf } from "./figures_dial_text.js";
import { NOWHERE } from "./phases.js";

/**
 * @typedef {{ passes: string, passesHow: string, mood: string, speedup: Shown, small: string, drafted: string, own: string, cause: string, causeHow: string,
 *   suggestion: Suggestion | null }} EndWords
 */

/**
 * @param {Run} run one that is over, with a round.
 * @param {{ able: string[], drafters: Drafters }} there
 * @returns {EndWords}
 */
export function endWordsOf(run, there) {
  const { mood, speedup, perPass } = headlineOf(run, { ...NOWHERE, index: run.rounds.length - 1, joined: true });
  const { reason, words, how } = causeOf(run);
  const tokens = run.rounds.flatMap(idsIn).length;
  const drafted = run.totals[run.totals.length - 1].accepted;
  return {
    passes: several(run.rounds.length, "{n} pass instead of {tokens}", "{n} passes instead of {tokens}", { tokens }),
    passesHow: perPass.how,
    mood,
    speedup,
    small: smallOf(run, mood, speedup),
    drafted: word("{drafted} drafted and accepted", { drafted }),
    own: word("{own} the target's own", { own: tokens - drafted }),
    cause: words,
    causeHow: how,
    suggestion: suggestionOf(run, reason, there),
  };
}

/**
 * The two small lines of the figure; where it is not trusted, only what the sentence on it does not say.
 * @param {Run} run
 * @param {string} mood
 * @param {Shown} speedup
 */
function smallOf({ timing }, mood, { small, beside }) {
  if (mood === "busy") return timing && !timing.trusted ? beside : small;
  return [small, beside].filter(Boolean).join(", ");
}

/** The card in sentences, for a screen reader. @param {EndWords} words */
export function spokenOf({ passes, mood, speedup, cause, suggestion }) {
  const speed = mood === "count" || mood === "busy" ? "" : ` ${speedup.value} ${speedup.label}.`;
  const advice = suggestion ? ` ${suggestion.words.replace(/\.$/, "")}.` : "";
  return `${word("The end: {passes}.", { passes })}${speed} ${cause}${advice}`;
}
