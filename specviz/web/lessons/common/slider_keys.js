// What a key does to a slider. Pure, no DOM.

/** @typedef {{ min: number, max: number, step: number, page: number }} Range */

/**
 * The value after a key; null for a key that a slider does not use.
 * @param {string} key
 * @param {number} value
 * @param {Range} range
 */
export function steered(key, value, { min, max, step, page }) {
  const by = new Map([
    ["ArrowUp", step],
    ["ArrowRight", step],
    ["ArrowDown", -step],
    ["ArrowLeft", -step],
    ["PageUp", page],
    ["PageDown", -page],
    ["Home", min - value],
    ["End", max - value],
  ]).get(key);
  return by === undefined ? null : onGrid(value + by, { min, max, step });
}

/**
 * The nearest value that a slider can have.
 * @param {number} value
 * @param {Omit<Range, "page">} range
 */
export function onGrid(value, { min, max, step }) {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return Number(Math.min(max, min + steps * step).toFixed(6));
}
