// Scales of the pictures. Pure, no DOM.

/*! d3-scale, d3-shape and what they need of d3 (ISC). Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
*/

import { scaleLinear, scaleLog } from "d3-scale";

/**
 * What a scale covers, from its beginning to its end.
 * @typedef {[from: number, to: number]} Span
 */

/** A scale over fewer decades than this has more than the powers of ten on it. */
const FEW_DECADES = 1.5;

/**
 * The values that a logarithmic scale names: powers of ten, and on a short scale also twice and five times each.
 * @param {Span} span
 */
export function ticksOfLog([from, to]) {
  const steps = Math.log10(to / from) < FEW_DECADES ? ["1", "2", "5"] : ["1"];
  const ticks = scaleLog([from, to], [0, 1]).ticks();
  return ticks.filter((tick) => steps.includes(tick.toExponential().split("e")[0]));
}

/**
 * Where a value lies between measured ones: 0 at the first of them, 1 at the second; fractions lie between two of them.
 * @param {number[]} measured ascending.
 * @param {number} value
 */
export function indexAmong(measured, value) {
  if (measured.length === 1) return 0;
  const indices = measured.map((_, i) => i);
  return scaleLinear(measured, indices).clamp(true)(value);
}
