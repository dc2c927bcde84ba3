// The letters of the speedup formula and recorded runs as a lesson gives them, checked. Pure, no DOM.

/** @import { Letters, PaysData, RunDot } from "../types" */

import { english } from "../../shared/words.js";
import { onGrid } from "./slider_keys.js";
import { LONGEST } from "./theory.js";

export const LETTER_RANGES = {
  alpha: { min: 0, max: 1, step: 0.01, page: 0.1 },
  c: { min: 0, max: 1, step: 0.01, page: 0.1 },
  v: { min: 1, max: 6, step: 0.05, page: 0.5 },
  k: { min: 1, max: LONGEST, step: 1, page: 4 },
};

/** @type {Letters} */
export const FIRST_LETTERS = { alpha: 0.8, c: 0.1, v: 1.1, k: 5 };

/** What can go well and wrong, as letters: examples, not measurements. @type {{ name: string, letters: Letters }[]} */
export const CASES = [
  { name: english("A good draft"), letters: { alpha: 0.8, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too weak: it guesses badly"), letters: { alpha: 0.2, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too strong: it is slow itself"), letters: { alpha: 0.92, c: 0.9, v: 1.1, k: 6 } },
  { name: english("Rush hour: checking is costly"), letters: { alpha: 0.8, c: 0.05, v: 4, k: 6 } },
];

/**
 * Letters on the grid of their sliders; the first ones where a letter is missing or is no number.
 * @param {Partial<Letters>} given
 * @returns {Letters}
 */
export function readLetters(given) {
  /** @type {(name: keyof Letters) => number} */
  const read = (name) => {
    const value = given[name];
    return typeof value === "number" && Number.isFinite(value)
      ? onGrid(value, LETTER_RANGES[name])
      : FIRST_LETTERS[name];
  };
  return { alpha: read("alpha"), c: read("c"), v: read("v"), k: read("k") };
}

/**
 * The recorded runs that can be drawn; one with a figure that is no number, or outside the picture, is left out.
 * @param {PaysData} data
 * @returns {RunDot[]}
 */
export function readDots({ dots }) {
  return (Array.isArray(dots) ? dots : []).filter((dot) => {
    const { alpha, c, v, k, speedup } = dot ?? {};
    const numbers = [alpha, c, v, k, speedup].every(Number.isFinite);
    return numbers && alpha >= 0 && alpha <= 1 && c >= 0 && v > 0 && k >= 0 && k <= LONGEST && speedup > 0;
  });
}

export const GROUP_MARKS = ["●", "◆", "▲", "■"];

/** The groups of these runs in the order in which they come, each with its mark. @param {RunDot[]} dots */
export function groupsOf(dots) {
  const names = [...new Set(dots.map((dot) => String(dot.group)))];
  return new Map(names.map((name, i) => [name, GROUP_MARKS[i % GROUP_MARKS.length]]));
}
