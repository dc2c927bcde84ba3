// What is known of other draft lengths for a run, in numbers and words. Pure, no DOM.

/** @import { Curve, Run } from "../shared/types" */

import { speedupOver } from "../shared/figures.js";
import { number } from "../shared/labels.js";
import { ledgerOf } from "../shared/ledger.js";
import { english, word } from "../shared/words.js";
import { bestLength, predictedSpeeds } from "./predicted_speed.js";
import { canReplan, REPLANNED } from "./replan.js";

/** The event of a page whose stage has another curve, which is in `window.specvizCurve`. */
export const NEW_CURVE = "specviz-curve";

/** The event of a page that asks its stage for the run with another draft length; null asks for the run itself. */
export const OTHER_K = "specviz-other-k";

/** How a prediction is known. */
export const KNOWN = {
  exact: REPLANNED,
  priced: english("estimate: from this run's acceptance and the times of its passes"),
};

/**
 * @param {Run} run the run that was recorded.
 * @returns {Curve}
 */
export function curveOf(run) {
  const { speeds, exact, why } = run.rounds.length ? predictedSpeeds(run) : { ...NOTHING, why: word(NO_RUN) };
  const speedup = speeds.length ? (speedupOver(run.plain, run, run.rounds.length).speedup ?? 1) : 1;
  const own = { k: run.policy === "fixed" ? run.k : (ledgerOf(run)?.drafted ?? 0), speedup };
  const auto = speeds.length ? bestLength(speeds) : 0;
  const curve = { speeds, exact, steps: canReplan(run), why, own, auto, words: "" };
  return { ...curve, words: wordsOf(curve) };
}

const NOTHING = { speeds: [], exact: false };
const NO_RUN = english("There is no run yet: what another k would bring is predicted from one.");

/**
 * Let the rest of the page know.
 * @param {Run} run the run that is on the stage.
 */
export function publish(run) {
  window.specvizCurve = curveOf(run);
  window.dispatchEvent(new Event(NEW_CURVE));
}

/** The picture in words. @param {Curve} curve */
function wordsOf({ speeds, own, auto }) {
  if (!speeds.length) return "";
  const each = speeds.map((speed, k) => `k = ${k}: ${number(speed, 2)}×`).slice(1);
  const given = { k: number(own.k, Number.isInteger(own.k) ? 0 : 1), speed: number(own.speedup, 2) };
  const run = word("This run: k = {k}, measured {speed}×.", given);
  const all = word("Predicted speedup by draft length: {each}.", { each: each.join(", ") });
  return `${all} ${run} ${autoWords(auto)}`;
}

/** @param {number} auto */
function autoWords(auto) {
  return auto ? word("Auto would draft {auto}.", { auto }) : word("Auto would draft nothing.");
}

/**
 * What stands beside the curve for one draft length: what is predicted, and how that is known.
 * @param {Curve} curve
 * @param {number} k
 * @param {boolean} redrawn whether the run is shown with this length.
 */
export function kWordsOf({ speeds, exact, why, auto }, k, redrawn) {
  if (!speeds.length) return { figure: "", says: redrawn ? `${why} ${word("Its steps are exact.")}` : why };
  const figure =
    k < speeds.length
      ? word("predicted {speed}×", { speed: number(speeds[k], 2) })
      : word("predicted up to k = {k}", { k: speeds.length - 1 });
  const known = word(KNOWN[exact ? "exact" : "priced"]);
  const says = word("{known}. ● this run, ★ {auto}", { known, auto: autoWords(auto).toLowerCase() });
  return { figure, says };
}
