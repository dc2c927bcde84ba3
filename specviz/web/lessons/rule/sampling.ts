// Random numbers from a seed, and tokens drawn by a rule. Every random source is passed in. Pure, no DOM.

import type { Procedure } from "../lesson_types.ts";

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
