// p and q as a lesson gives them: checked, scaled to sum to 1, or else the built-in example. Pure, no DOM.

/** @import { Pairing, RuleData } from "../types" */

import { english, word } from "../../shared/words.js";
import { normalised, totalOf } from "./distributions.js";

/** After "The capital of France is". The numbers are made up. @type {Pairing} */
export const EXAMPLE = {
  tokens: ["Paris", "Lyon", "a", "the", "Rome", "in"],
  p: [0.42, 0.08, 0.16, 0.2, 0.04, 0.1],
  q: [0.2, 0.3, 0.18, 0.12, 0.15, 0.05],
};
export const EXAMPLE_NOTE = english("An example with made-up numbers: drag any bar; all bars of one colour sum to 1.");

const MOST_TOKENS = 8;

/** @param {RuleData} data @returns {{ pairing: Pairing, note: string }} */
export function readPairing({ tokens, p, q, note }) {
  if (tokens === undefined && p === undefined && q === undefined)
    return { pairing: EXAMPLE, note: note ?? word(EXAMPLE_NOTE) };
  const count = Array.isArray(tokens) ? tokens.length : 0;
  if (count < 2 || count > MOST_TOKENS || !isWeights(p, count) || !isWeights(q, count)) {
    const wanted = `2 to ${MOST_TOKENS} tokens, with p and q of as many numbers, none below 0 and not all 0`;
    return {
      pairing: EXAMPLE,
      note: `These p and q cannot be shown (needed: ${wanted}); this is the built-in example.`,
    };
  }
  return { pairing: { tokens: (tokens ?? []).map(String), p: normalised(p), q: normalised(q) }, note: note ?? "" };
}

/** @param {unknown} values @param {number} count @returns {values is number[]} */
function isWeights(values, count) {
  if (!Array.isArray(values) || values.length !== count) return false;
  return values.every((value) => Number.isFinite(value) && value >= 0) && totalOf(values) > 0;
}
