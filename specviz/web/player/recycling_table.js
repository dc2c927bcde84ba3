// The table of token recycling in one round: the rows that its tree was grown from, and what the target's pass wrote into them. The children
// of a node are the first successors in the row of its token, so the recorded tree is all that is needed. Pure, no DOM.

/** @import { Round } from "../shared/types" */

import { endOfPath } from "../shared/round.js";

/**
 * A row of the table: a token, the successors of it that are in the tree, likeliest first, each with its first node, and the target's first
 * choice after that token now, null where it was not recorded.
 * @typedef {{ token: number, successors: { token: number, node: number }[], now: number | null }} TableRow
 */

/**
 * The rows that a round used, in the order of their first use.
 * @param {Round} round
 * @param {number} last the last token of the text before it.
 * @returns {TableRow[]}
 */
export function rowsUsed(round, last) {
  /** @type {Map<number, TableRow>} */
  const rows = new Map();
  for (let node = -1; node < round.drafted.length; node += 1) {
    const token = tokenOfNode(round, last, node);
    const successors = childrenOf(round, node).map((child) => ({
      token: tokenOfNode(round, last, child),
      node: child,
    }));
    const known = rows.get(token);
    if (known && known.successors.length >= successors.length) continue;
    if (known) known.successors = successors.map((one, i) => known.successors[i] ?? one);
    else if (successors.length) rows.set(token, { token, successors, now: nowFirst(round, last, token) });
  }
  return [...rows.values()];
}

/**
 * How many rows the target's pass writes: one for every token that it reads, the last one of the text included.
 * @param {Round} round
 * @param {number} last
 */
export function rowsWritten(round, last) {
  return new Set([last, ...round.drafted.map(({ token }) => token)]).size;
}

/**
 * What the target now finds likeliest after a token. Where it read the token more than once, the accepted path counts, and on it the latest.
 * @param {Round} round
 * @param {number} last
 * @param {number} token
 */
function nowFirst(round, last, token) {
  const all = [-1, ...round.drafted.keys()].filter((node) => tokenOfNode(round, last, node) === token);
  const kept = [-1, ...round.accepted];
  const node = all.findLast((one) => kept.includes(one)) ?? all.at(-1);
  if (node === undefined) return null;
  const child = childrenOf(round, node)[0];
  const top = child === undefined ? undefined : round.drafted[child].target_top;
  if (top) return top.tokens[0] ?? null;
  const ends = node === endOfPath(round) && round.closing?.residual_top;
  return ends ? (ends.tokens[0] ?? null) : null;
}

/** @param {Round} round @param {number} node */
function childrenOf(round, node) {
  return [...round.drafted.keys()].filter((i) => round.drafted[i].parent === node);
}

/** @param {Round} round @param {number} last @param {number} node */
function tokenOfNode(round, last, node) {
  return node < 0 ? last : /** @type {number} */ (round.drafted[node].token);
}
