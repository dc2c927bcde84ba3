// Where the nodes of a tree of drafts are drawn: pure, no DOM.

/** @import { Layout, Node2D } from "./types" */

/**
 * Depth from the root and row of each drafted token: a first child stays in its parent's row, every further one gets a row of
 * its own. A chain has one row.
 * @param {{ parent: number }[]} drafted
 * @returns {Layout}
 */
export function layoutOf(drafted) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  drafted.forEach(({ parent }, i) => {
    children.set(parent, [...(children.get(parent) ?? []), i]);
  });
  /** @type {(parent: number, depth: number) => [number, number][]} */
  const below = (parent, depth) => (children.get(parent) ?? []).toReversed().map((i) => [i, depth]);
  /** @type {Node2D[]} */
  const nodes = [];
  const waiting = below(-1, 0);
  let rows = 0;
  let row = -1;
  let before = Infinity;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [i, depth] = next;
    if (depth <= before) row = rows++;
    before = depth;
    nodes[i] = { depth, row };
    waiting.push(...below(i, depth + 1));
  }
  return { nodes, rows: Math.max(1, rows), depth: Math.max(0, ...nodes.map((node) => node.depth + 1)) };
}
