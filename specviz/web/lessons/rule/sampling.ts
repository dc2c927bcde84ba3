// Distributions over a handful of tokens, as lists of numbers that sum to 1; tokens drawn from them, and how far samples lie apart by sampling alone.
// Every random source is passed in. Pure, no DOM.

import type { Procedure } from "../lesson_types.ts";

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

const GOLDEN = 0x9e3779b9;

/**
 * A source of uniform numbers in [0, 1), the same for the same seed: a counter that is mixed by multiplications and shifts
 * (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014, in 32 bits).
 */
export function seeded(seed: number): () => number {
  let counter = mixedBits(seed ^ GOLDEN); // mixed, so that neighbouring seeds do not share one sequence
  return () => {
    counter = (counter + GOLDEN) | 0;
    return mixedBits(counter) / 2 ** 32;
  };
}

function mixedBits(bits: number) {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The token that a uniform number chooses: the first one at which the cumulative sum exceeds it; never one of probability 0. */
export function tokenAt(probabilities: number[], uniform: number) {
  let total = 0;
  for (const probability of probabilities) total += probability;
  const sought = uniform * total;
  let reached = 0;
  let last = 0;
  for (let i = 0; i < probabilities.length; i += 1) {
    if (probabilities[i] <= 0) continue;
    reached += probabilities[i];
    last = i;
    if (reached > sought) break;
  }
  return last;
}

/**
 * One token by a rule: draft, compare u, and draw again after a rejection.
 * @returns `redraw`: the second uniform number, which chose the token after a rejection; null where the draft was accepted
 */
export function stepBy({ drawn, accept, after }: Procedure, random: () => number) {
  const drafted = tokenAt(drawn, random());
  const u = random();
  if (u < accept[drafted]) return { drafted, u, token: drafted, redraw: null };
  const redraw = random();
  return { drafted, u, token: tokenAt(after, redraw), redraw };
}

/** How often each token has come out. */
export class Tally {
  counts: number[];
  total = 0;

  /** @param size how many tokens there are. */
  constructor(size: number) {
    this.counts = new Array(size).fill(0);
  }

  add(token: number) {
    this.counts[token] += 1;
    this.total += 1;
  }

  /** So many tokens by a rule. */
  draw(procedure: Procedure, count: number, random: () => number) {
    for (let i = 0; i < count; i += 1) this.add(stepBy(procedure, random).token);
  }

  /** Shares of all that came out; zeros before there is any. */
  get shares() {
    return this.counts.map((count) => (this.total ? count / this.total : 0));
  }
}

/**
 * The mean total variation distance between p and the shares of so many tokens drawn from p: half the sum of the mean absolute
 * deviations of binomial counts, by De Moivre's formula.
 */
export function meanNoise(p: number[], draws: number) {
  if (draws < 1) return 0;
  return totalOf(p.map((share) => meanDeviation(share, draws))) / draws / 2;
}

/** E|X - np| of a binomial count X: 2 m C(n, m) p^m (1 - p)^(n - m + 1) with m the first whole number above np. */
function meanDeviation(p: number, n: number) {
  if (p <= 0 || p >= 1) return 0;
  const m = Math.min(n, Math.floor(n * p) + 1);
  let ways = 0; // its logarithm
  for (let i = 1; i <= m; i += 1) ways += Math.log((n - m + i) / i);
  return 2 * m * Math.exp(ways + m * Math.log(p) + (n - m + 1) * Math.log(1 - p));
}

const REPEATS = 4000;

/**
 * The total variation distance that 99 of 100 pairs of honest samples stay below: times 1/√n for samples of n tokens each, which
 * is the normal approximation, computed from 4000 pairs with a fixed seed. For 30 tokens and more.
 */
export function noiseFactor(p: number[]) {
  const random = seeded(7);
  const roots = p.map(Math.sqrt);
  const found = Array.from({ length: REPEATS }, () => {
    const noise = roots.map(() => gaussian(random));
    const along = totalOf(roots.map((root, i) => root * noise[i]));
    // The difference of two samples' shares has the covariance 2 (diag(p) - p pᵀ) / n.
    return totalOf(roots.map((root, i) => Math.abs(root * noise[i] - p[i] * along))) / Math.SQRT2;
  });
  found.sort((a, b) => a - b);
  return found[Math.floor(0.99 * REPEATS)];
}

function gaussian(random: () => number) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
