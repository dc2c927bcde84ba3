// The words of "when it pays". Pure, no DOM.

/** @import { Letters, RunDot } from "../types" */

import { expectedSpeedup, tokensPerPass } from "../common/theory.js";

/** A speedup nearer to 1 than this is shown as none. */
const EVEN = 0.005;

/** @param {number} speedup */
export function timesWords(speedup) {
  if (Math.abs(speedup - 1) < EVEN)
    return { figure: "1.00×", words: "as fast as plain decoding", mark: "=", state: "even" };
  const figure = `${speedup.toFixed(2)}×`;
  return speedup > 1
    ? { figure, words: "as fast as plain decoding", mark: "✓", state: "faster" }
    : { figure, words: "slower than plain decoding", mark: "✕", state: "slower" };
}

/**
 * The formula with its numbers: tokens of a round over its cost.
 * @param {Letters} letters
 */
export function formulaWords(letters) {
  const { alpha, c, v, k } = letters;
  return {
    over: `${tokensPerPass(alpha, k).toFixed(2)} tokens`,
    under: `${k} · ${c.toFixed(2)} + ${v.toFixed(2)}`,
    result: expectedSpeedup(letters).toFixed(2),
  };
}

/**
 * The best draft length in a sentence.
 * @param {Letters} letters
 * @param {number} best
 */
export function bestWords(letters, best) {
  if (best === 0) return "No draft length pays here: switch it off. Plain decoding is the fastest.";
  const gain = expectedSpeedup({ ...letters, k: best }).toFixed(2);
  if (best === letters.k) return `k = ${best} is the best draft length here (★).`;
  return `The best draft length here is k = ${best}: ${gain}× (★).`;
}

/**
 * A recorded run beside the formula.
 * @param {RunDot} dot
 */
export function dotWords(dot) {
  const expected = expectedSpeedup(dot).toFixed(2);
  const letters = `α ${dot.alpha.toFixed(2)}, c ${dot.c.toFixed(2)}, v ${dot.v.toFixed(2)}, k ${dot.k}`;
  return `${dot.name} (${dot.group}): measured ${dot.speedup.toFixed(2)}×, the formula gives ${expected}× from its ${letters}.`;
}
