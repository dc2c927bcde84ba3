// Distributions over a handful of tokens, as lists of numbers that sum to 1. Pure, no DOM.

export function totalOf(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Weights scaled to sum to 1; all alike where they are zero everywhere. */
export function normalised(weights: number[]) {
  const total = totalOf(weights);
  return weights.map((weight) => (total > 0 ? weight / total : 1 / weights.length));
}

/**
 * One share is set to a value, and all others make room in proportion, so that the sum stays 1. Where the others are zero they
 * share the room equally.
 */
export function withShare(values: number[], index: number, value: number) {
  const own = Math.min(1, Math.max(0, value));
  const others = normalised(values.map((other, i) => (i === index ? 0 : other)));
  const alone = others[index] > 0; // the others are all zero, and so they were shared out equally
  const room = alone ? 1 - others[index] : 1;
  return others.map((other, i) => (i === index ? own : (other / room) * (1 - own)));
}

/** The same distribution at another temperature: q^(1/T), normalised. At temperature 0 only the first of the most likely is left. */
export function atTemperature(values: number[], temperature: number) {
  const most = Math.max(...values);
  if (temperature <= 0) return values.map((_, i) => Number(i === values.indexOf(most)));
  return normalised(values.map((value) => (value / most) ** (1 / temperature)));
}

/** Total variation distance, half the sum of all differences: the largest error in the probability of any event. */
export function totalVariation(one: number[], other: number[]) {
  return totalOf(one.map((value, i) => Math.abs(value - other[i]))) / 2;
}

/** Nats. */
export function entropyOf(values: number[]) {
  return totalOf(values.map((value) => (value > 0 ? -value * Math.log(value) : 0)));
}
