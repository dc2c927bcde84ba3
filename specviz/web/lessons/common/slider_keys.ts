// What a key does to a slider. Pure, no DOM.

export type Range = { min: number; max: number; step: number; page: number };

/** The value after a key; null for a key that a slider does not use. */
export function steered(key: string, value: number, { min, max, step, page }: Range) {
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

/** The nearest value that a slider can have. */
export function onGrid(value: number, { min, max, step }: Omit<Range, "page">) {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return Number(Math.min(max, min + steps * step).toFixed(6));
}
