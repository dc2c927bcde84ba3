// The columns of a tree that a head drafted: a name above each depth, and a band behind the guesses that come from one distribution.

import { el, setText } from "../shared/dom.ts";
import type { Round } from "../shared/json_types.ts";
import { explain } from "../shared/notes.ts";
import type { DrafterText } from "../shared/run_types.ts";
import { columnsOf, depthTyped } from "../shared/trained_heads.ts";

export class TreeColumns {
  grid: HTMLElement;
  before: ChildNode | null;
  nodes: HTMLElement[] = [];
  lit = -1;

  /** @param grid the grid of the tree. */
  constructor(grid: HTMLElement) {
    this.grid = grid;
    this.before = grid.firstChild; // lines and guesses are drawn over the bands
  }

  /** @param columns how many depths the grid has room for. */
  resize(drafterText: Pick<DrafterText, "picture">, columns: number) {
    const wanted = columnsOf(drafterText, columns);
    this.grid.classList.toggle("headed", wanted.length > 0);
    while (this.nodes.length < wanted.length) {
      const name = el("span", "depth-name", el("b", "", ""), el("span", "", ""));
      const node = el("span", { class: "depth", "--column": this.nodes.length + 1 }, name);
      this.nodes.push(node);
      this.grid.insertBefore(node, this.before);
    }
    this.nodes.forEach((node, i) => {
      node.hidden = i >= wanted.length;
      if (node.hidden) return;
      const { label, word, title, alike } = wanted[i];
      const [name, words] = node.querySelectorAll(".depth-name > *") as NodeListOf<HTMLElement>;
      setText(name, label);
      setText(words, word);
      explain(name, title);
      node.classList.toggle("alike", alike);
    });
    this.lit = -1;
  }

  draw(round: Round, typed: number) {
    const depth = depthTyped(round, typed);
    if (depth === this.lit) return;
    this.lit = depth;
    this.nodes.forEach((node, i) => void node.classList.toggle("lit", i < depth));
  }
}
