// What a pass costs by guests and tokens, and what speculation gains there. Costs are measured, speedups are calculated from them with
// the formula of chapter 7. Pure, no DOM.

/** @import { BatchPoint, BatchResult, Letters } from "../types" */

import { expectedSpeedup } from "../common/theory.js";

/**
 * The measured passes by guests and tokens, each sorted; `passes[i][j]` is the pass for guests[i] over tokens[j], null where none was
 * measured. `draft` are the draft's passes over one token for each guest.
 * @typedef {{ guests: number[], tokens: number[], passes: (BatchPoint | null)[][], draft: Sample[] }} Surface
 */

/** A measured value at a number of guests. @typedef {{ guests: number, pass_s: number }} Sample */

/** The best draft length for a number of guests. @typedef {{ k: number, speedup: number, letters: Letters }} Best */

/** @param {Pick<BatchResult, "points" | "draft_pass_s">} result @returns {Surface} */
export function surfaceOf({ points, draft_pass_s: draft }) {
  const guests = sortedOnce(points.map((point) => point.guests));
  const tokens = sortedOnce(points.map((point) => point.tokens));
  const passes = guests.map((b) =>
    tokens.map((n) => points.find((point) => point.guests === b && point.tokens === n) ?? null),
  );
  return { guests, tokens, passes, draft: [...draft].sort((one, other) => one.guests - other.guests) };
}

/** @param {number[]} values */
function sortedOnce(values) {
  return [...new Set(values)].sort((one, other) => one - other);
}

/**
 * The seconds of a pass at a number of guests: measured, or on the straight line between the two nearest measured numbers; null
 * outside of them.
 * @param {Sample[]} samples sorted by guests.
 * @param {number} guests
 */
export function sampleAt(samples, guests) {
  const after = samples.findIndex((sample) => sample.guests >= guests);
  if (after < 0) return null;
  const upper = samples[after];
  if (upper.guests === guests) return upper.pass_s;
  if (after === 0) return null;
  const lower = samples[after - 1];
  const part = (guests - lower.guests) / (upper.guests - lower.guests);
  return lower.pass_s + part * (upper.pass_s - lower.pass_s);
}

/**
 * The seconds of the target's pass over so many tokens for each of so many guests.
 * @param {Surface} surface
 * @param {number} guests
 * @param {number} tokens
 */
export function passAt({ tokens: measured, passes }, guests, tokens) {
  const row = measured.indexOf(tokens);
  const samples = passes.map((column) => column[row]).filter((pass) => pass !== null && pass !== undefined);
  return sampleAt(samples, guests);
}

/**
 * The letters of the formula at draft length k: the draft's pass and the pass that checks, both in plain passes for as many guests.
 * Null where one of them was not measured.
 * @param {Surface} surface
 * @param {number} guests
 * @param {number} k
 * @param {number} alpha
 * @returns {Letters | null}
 */
export function lettersAt(surface, guests, k, alpha) {
  const plain = passAt(surface, guests, 1);
  const check = passAt(surface, guests, k + 1);
  const draft = sampleAt(surface.draft, guests);
  if (!plain || !check || !draft) return null;
  return { alpha, k, c: draft / plain, v: check / plain };
}

/**
 * The draft length with the highest speedup, of the measured ones from 1 on, and that speedup, which may be below 1; the shortest of
 * equal ones. Null where nothing can be calculated.
 * @param {Surface} surface
 * @param {number} guests
 * @param {number} alpha
 * @returns {Best | null}
 */
export function bestAt(surface, guests, alpha) {
  /** @type {Best | null} */
  let best = null;
  for (const tokens of surface.tokens) {
    const letters = tokens > 1 ? lettersAt(surface, guests, tokens - 1, alpha) : null;
    if (!letters) continue;
    const speedup = expectedSpeedup(letters);
    if (!best || speedup > best.speedup + 1e-12) best = { k: letters.k, speedup, letters };
  }
  return best;
}

/**
 * For which numbers of guests speculation does not pay at any measured draft length. `from` is the number from which on it is to be
 * switched off, up to the largest that was measured; null where it pays there. `others` are smaller ones at which it does not pay
 * either, with some between that do. `known` is false where nothing can be calculated.
 * @param {Surface} surface
 * @param {number} alpha
 */
export function switchOff(surface, alpha) {
  const { guests } = surface;
  /** @type {number[]} */
  const off = [];
  /** @type {number | null} */
  let from = null;
  let known = false;
  for (let b = guests[0]; b <= guests[guests.length - 1]; b += 1) {
    const best = bestAt(surface, b, alpha);
    if (!best) continue;
    known = true;
    if (best.speedup >= 1) from = null;
    else {
      from ??= b;
      off.push(b);
    }
  }
  return { from, others: off.filter((b) => from === null || b < from), known };
}

/**
 * The lines between cells of a grid of which one is true and the other false, in units of cells from the lower left corner.
 * @param {(boolean | null)[][]} cells by column, each from the bottom to the top.
 */
export function borderOf(cells) {
  /** @type {{ x1: number, y1: number, x2: number, y2: number }[]} */
  const lines = [];
  /** @type {(one: boolean | null | undefined, other: boolean | null | undefined) => boolean} */
  const differ = (one, other) => typeof one === "boolean" && typeof other === "boolean" && one !== other;
  cells.forEach((column, i) => {
    column.forEach((cell, j) => {
      if (differ(cell, column[j + 1])) lines.push({ x1: i, y1: j + 1, x2: i + 1, y2: j + 1 });
      if (differ(cell, cells[i + 1]?.[j])) lines.push({ x1: i + 1, y1: j, x2: i + 1, y2: j + 1 });
    });
  });
  return lines;
}
