// How far samples lie apart by sampling alone. Pure, no DOM.

import { totalOf } from "./distributions.ts";
import { seeded } from "./sampling.ts";

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
