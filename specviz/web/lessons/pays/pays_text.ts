// The words of "when it pays". Pure, no DOM.

import { fixed, word } from "../../shared/words.ts";
import { expectedSpeedup, tokensPerPass } from "../common/theory.ts";
import type { Letters, RunDot } from "../lesson_types.ts";

/** A speedup nearer to 1 than this is shown as none. */
const EVEN = 0.005;

export function timesWords(speedup: number) {
  if (Math.abs(speedup - 1) < EVEN)
    return { figure: `${fixed(1, 2)}×`, words: word("as fast as plain decoding"), mark: "=", state: "even" };
  const figure = `${fixed(speedup, 2)}×`;
  return speedup > 1
    ? { figure, words: word("as fast as plain decoding"), mark: "✓", state: "faster" }
    : { figure, words: word("slower than plain decoding"), mark: "✕", state: "slower" };
}

/** The formula with its numbers: tokens of a round over its cost. */
export function formulaWords(letters: Letters) {
  const { alpha, c, v, k } = letters;
  return {
    over: word("{tokens} tokens", { tokens: fixed(tokensPerPass(alpha, k), 2) }),
    under: `${k} · ${fixed(c, 2)} + ${fixed(v, 2)}`,
    result: fixed(expectedSpeedup(letters), 2),
  };
}

/** The best draft length in a sentence. */
export function bestWords(letters: Letters, best: number) {
  if (best === 0) return word("No draft length pays here: switch it off. Plain decoding is the fastest.");
  const gain = fixed(expectedSpeedup({ ...letters, k: best }), 2);
  if (best === letters.k) return word("k = {best} is the best draft length here (★).", { best });
  return word("The best draft length here is k = {best}: {gain}× (★).", { best, gain });
}

/** A recorded run beside the formula. */
export function dotWords(dot: RunDot) {
  const expected = fixed(expectedSpeedup(dot), 2);
  const letters = `α ${fixed(dot.alpha, 2)}, c ${fixed(dot.c, 2)}, v ${fixed(dot.v, 2)}, k ${dot.k}`;
  return word("{name}: measured {measured}×. With its {letters}, the formula gives {expected}×.", {
    name: dot.name,
    measured: fixed(dot.speedup, 2),
    expected,
    letters,
  });
}
