// When it pays: the formula of Leviathan et al., arXiv 2211.17192, section 3, with the cost v of a pass that verifies. Pure, no DOM.
//
// alpha is the acceptance rate, k the draft length, c the cost of a draft pass, v the cost of a target pass that verifies k + 1
// tokens; both costs are in passes of the target over one token. The paper has v = 1.

import type { Letters } from "../lesson_types.ts";

/** The draft lengths that the picture shows. */
export const LONGEST = 16;

/** Expected number of tokens that one pass of the target adds: 1 + α + ... + α^k = (1 - α^(k+1)) / (1 - α). */
export function tokensPerPass(alpha: number, k: number) {
  let sum = 0;
  for (let i = 0; i <= k; i += 1) sum += alpha ** i;
  return sum;
}

/** Cost of a round in passes of the target: k draft passes and one pass that verifies. Without drafts it is a plain pass. */
export function costOfRound({ c, v, k }: Pick<Letters, "c" | "v" | "k">) {
  return k === 0 ? 1 : k * c + v;
}

/** Expected speedup over plain decoding; 1 without drafts. */
export function expectedSpeedup(letters: Letters) {
  return tokensPerPass(letters.alpha, letters.k) / costOfRound(letters);
}

/** The draft length with the highest expected speedup, from 0 (plain decoding) to the longest; the shortest of equal ones. */
export function bestLength(letters: Omit<Letters, "k">, longest = LONGEST) {
  let best = 0;
  for (let k = 1; k <= longest; k += 1) {
    if (expectedSpeedup({ ...letters, k }) > expectedSpeedup({ ...letters, k: best }) + 1e-12) best = k;
  }
  return best;
}
