// Logarithmic scales and round steps. Pure, no DOM.

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
 * The multiples of a round step (1, 2 or 5 times a power of ten) from 0 to `top`, at most `most` of them besides 0.
 * @param {number} top
 * @param {number} most
 */
export function ticksOfLine(top, most) {
  const power = 10 ** Math.floor(Math.log10(top / most));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => top / each <= most) ?? top;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
