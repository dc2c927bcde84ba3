// What to try next after a run, as one change of the settings, or that there is nothing better. Pure, no DOM.

/** @import { Drafters, Run } from "../shared/types" */
/** @import { Reason } from "./end_cause.js" */

import { speedupOver } from "../shared/figures.js";
import { number } from "../shared/labels.js";
import { several, word } from "../shared/words.js";
import { bestLength, predictedSpeeds } from "./predicted_speed.js";

/**
 * `change` has settings by their names in the page's address, as it writes them; null where nothing is to be changed. `how` says how the
 * words are known.
 * @typedef {{ words: string, change: Record<string, string> | null, how: string }} Suggestion
 */

/** The part by which another draft length must be predicted to be faster than this one. */
const WORTH = 1.03;

/** The length of a text that is long enough to compare. */
const LONG_ENOUGH = 64;

/** Heads that draft at little cost and are right often, the first that there is. */
const HEADS = ["eagle", "dspark", "dflash", "medusa"];

/**
 * @param {Run} run one that is over.
 * @param {Reason} reason what decided how fast it was.
 * @param {{ able: string[], drafters: Drafters }} there the drafters that the page offers for these models.
 * @returns {Suggestion | null}
 */
export function suggestionOf(run, reason, there) {
  if (reason === "busy") return plainly(word("Run it again while this machine does nothing else."));
  if (reason === "plain" || reason === "unknown") return null;
  const lost = reason !== "paid";
  return (
    (reason === "short" ? longer(run) : null) ?? otherLength(run, lost) ?? (lost ? otherWay(run, there) : best(run))
  );
}

/** @param {string} words */
function plainly(words) {
  return { words, change: null, how: "" };
}

/** @param {Run} run */
function longer({ stop, limit }) {
  if (stop !== "length" || limit >= LONG_ENOUGH) return null;
  return {
    words: word("Write {n} tokens", { n: LONG_ENOUGH }),
    change: { max_new_tokens: String(LONG_ENOUGH) },
    how: "",
  };
}

/**
 * The draft length that is predicted to be the fastest, where it is faster than this run is predicted to be, and than plain decoding.
 * @param {Run} run
 * @param {boolean} lost
 * @returns {Suggestion | null}
 */
function otherLength(run, lost) {
  const { speeds, exact } = predictedSpeeds(run);
  if (!speeds.length) return null;
  const k = bestLength(speeds);
  if (!k || speeds[k] < WORTH * Math.max(1, own(run, speeds))) return null;
  const drafter = run.drafterText.name;
  return {
    words: draftWords(k, lost, number(speeds[k], 2)),
    change: { drafter, k: String(k), policy: "fixed" },
    how: howKnown(exact),
  };
}

/** @param {number} k @param {boolean} lost @param {string} speed */
function draftWords(k, lost, speed) {
  return lost
    ? several(k, "Draft {n} token: predicted {speed}×", "Draft {n} tokens: predicted {speed}×", { speed })
    : several(k, "Draft {n} token a round: predicted {speed}×", "Draft {n} tokens a round: predicted {speed}×", {
        speed,
      });
}

/** @param {boolean} exact */
function howKnown(exact) {
  return exact
    ? word("An estimate: steps are exact, times are calculated.")
    : word("An estimate: from this run's acceptance and the times of its passes.");
}

/**
 * What another length is compared with: the prediction for this one, or what was measured where the length changed from round to round.
 * @param {Run} run
 * @param {number[]} speeds
 */
function own(run, speeds) {
  if (run.policy === "fixed") return speeds[Math.min(run.k, speeds.length - 1)];
  return speedupOver(run.plain, run, run.rounds.length).speedup ?? 1;
}

/**
 * For a run that lost: a trained head, else to draft only while it pays, else to leave the drafter to specviz.
 * @param {Run} run
 * @param {{ able: string[], drafters: Drafters }} there
 * @returns {Suggestion | null}
 */
function otherWay(run, { able, drafters }) {
  const { name } = run.drafterText;
  const head = HEADS.find((each) => able.includes(each));
  if (head && !name.startsWith(head)) {
    return {
      words: word("Use the {drafter}", { drafter: word(drafters[head].label) }),
      change: { drafter: head, k: "auto", policy: "auto" },
      how: word("How it does on this prompt is known when it has run."),
    };
  }
  if (run.policy !== "auto") {
    return {
      words: word("Draft only while it pays"),
      change: { policy: "auto" },
      how: word("Costs measured here and the acceptance so far decide how many tokens a round drafts."),
    };
  }
  if (!run.chosen && able.length) {
    return {
      words: word("Let specviz choose what drafts"),
      change: { drafter: "auto", k: "auto", policy: "auto" },
      how: word("By what passes cost here, and how often each drafter was right before."),
    };
  }
  return plainly(word("On this prompt plain decoding is the fastest that is known."));
}

/** For a run that won with the best length. @param {Run} run */
function best(run) {
  const { speeds, exact } = predictedSpeeds(run);
  if (!speeds.length) return null;
  return {
    ...plainly(word("No other draft length is predicted to be faster.")),
    how: howKnown(exact),
  };
}
