// Where the nodes of a tree of drafts are drawn: pure, no DOM.

import type { Layout, Node2D } from "./run_types.ts";

/**
 * Depth from the root and row of each drafted token: a first child stays in its parent's row, every further one gets a row of
 * its own. A chain has one row.
 */
export function layoutOf(drafted: { parent: number }[]): Layout {
  const children = new Map<number, number[]>();
  drafted.forEach(({ parent }, i) => {
    children.set(parent, [...(children.get(parent) ?? []), i]);
  });
  const below = (parent: number, depth: number): [number, number][] =>
    (children.get(parent) ?? []).toReversed().map((i) => [i, depth]);
  const nodes: Node2D[] = [];
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
