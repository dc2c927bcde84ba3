// The letters of the speedup formula: their sliders, examples, and those of a recorded run. Pure, no DOM.

import { english } from "../../shared/words.ts";
import type { Letters, RunDot } from "../lesson_types.ts";
import { onGrid } from "./slider_keys.ts";
import { LONGEST } from "./theory.ts";

export const LETTER_RANGES = {
  alpha: { min: 0, max: 1, step: 0.01, page: 0.1 },
  c: { min: 0, max: 1, step: 0.01, page: 0.1 },
  v: { min: 1, max: 6, step: 0.05, page: 0.5 },
  k: { min: 1, max: LONGEST, step: 1, page: 4 },
};

export const FIRST_LETTERS: Letters = { alpha: 0.8, c: 0.1, v: 1.1, k: 5 };

/** What can go well and wrong, as letters: examples, not measurements. */
export const CASES: { name: string; letters: Letters }[] = [
  { name: english("A good draft"), letters: { alpha: 0.8, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too weak: it guesses badly"), letters: { alpha: 0.2, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too strong: it is slow itself"), letters: { alpha: 0.92, c: 0.9, v: 1.1, k: 6 } },
  { name: english("Rush hour: checking is costly"), letters: { alpha: 0.8, c: 0.05, v: 4, k: 6 } },
];

/** The letters of a recorded run, on the grid of their sliders. */
export function lettersOf({ alpha, c, v, k }: RunDot): Letters {
  return {
    alpha: onGrid(alpha, LETTER_RANGES.alpha),
    c: onGrid(c, LETTER_RANGES.c),
    v: onGrid(v, LETTER_RANGES.v),
    k: onGrid(k, LETTER_RANGES.k),
  };
}
