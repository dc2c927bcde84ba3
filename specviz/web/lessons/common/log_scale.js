// Logarithmic scales. Pure, no DOM.

/** @typedef {{ from: number, to: number }} Span */

/**
 * Where a value lies on a logarithmic scale: 0 at its beginning, 1 at its end.
 * @param {number} value
 * @param {Span} span
 */
export function partOfLog(value, { from, to }) {
  return Math.log(value / from) / Math.log(to / from);
}

/** A scale over fewer decades than this has more than the powers of ten on it. */
const FEW_DECADES = 1.5;

/**
 * The values that a logarithmic scale names: powers of ten, and on a short scale also twice and five times each.
 * @param {Span} span
 */
export function ticksOfLog({ from, to }) {
  const steps = Math.log10(to / from) < FEW_DECADES ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += 1) {
    for (const step of steps) ticks.push(Number(`${step}e${power}`)); // exact, where 10 ** -1 is not
  }
  return ticks.filter((tick) => tick >= from && tick <= to);
}

/**
 * The value at a part of a logarithmic scale.
 * @param {number} part
 * @param {Span} span
 */
export function valueOnLog(part, { from, to }) {
  return from * (to / from) ** part;
}
