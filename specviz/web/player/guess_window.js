// The window of lookahead decoding in one round: its iterated guesses and the runs of tokens that earlier passes wrote are the paths of the
// recorded tree. Pure, no DOM.

/** @import { Round } from "../shared/types" */

/**
 * The tree from its first tokens to each of its ends, as indices of drafted tokens. A path begins where it leaves the one before it.
 * @param {Round["drafted"]} drafted
 * @returns {{ from: number, nodes: number[] }[]} `from`: how many tokens it shares with a path before it.
 */
export function pathsOf(drafted) {
  const parents = new Set(drafted.map(({ parent }) => parent));
  const shown = new Set();
  return [...drafted.keys()]
    .filter((node) => !parents.has(node))
    .map((end) => {
      const nodes = [];
      for (let node = end; node >= 0; node = drafted[node].parent) nodes.unshift(node);
      const from = nodes.filter((node) => shown.has(node)).length;
      for (const node of nodes) shown.add(node);
      return { from, nodes };
    });
}
