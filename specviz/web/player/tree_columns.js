// The columns of a tree that a head drafted: a name above each depth, and a band behind the guesses that come from one distribution.

/** @import { DrafterText, Round } from "../shared/types" */

import { el, setText } from "../shared/dom.js";
import { explain } from "../shared/notes.js";
import { columnsOf, depthTyped } from "../shared/trained_heads.js";

export class TreeColumns {
  /** @param {HTMLElement} grid the grid of the tree. */
  constructor(grid) {
    this.grid = grid;
    this.before = grid.firstChild; // lines and guesses are drawn over the bands
    /** @type {HTMLElement[]} */
    this.nodes = [];
    this.lit = -1;
  }

  /**
   * @param {Pick<DrafterText, "picture">} drafterText
   * @param {number} columns how many depths the grid has room for.
   */
  resize(drafterText, columns) {
    const wanted = columnsOf(drafterText, columns);
    this.grid.classList.toggle("headed", wanted.length > 0);
    while (this.nodes.length < wanted.length) {
      const name = el("span", "depth-name", el("b", "", ""), el("span", "", ""));
      const node = el("span", "depth", name);
      node.style.setProperty("--column", String(this.nodes.length + 1));
      this.nodes.push(node);
      this.grid.insertBefore(node, this.before);
    }
    this.nodes.forEach((node, i) => {
      node.hidden = i >= wanted.length;
      if (node.hidden) return;
      const { label, word, title, alike } = wanted[i];
      const [name, words] = /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".depth-name > *"));
      setText(name, label);
      setText(words, word);
      explain(name, title);
      node.classList.toggle("alike", alike);
    });
    this.lit = -1;
  }

  /** @param {Round} round @param {number} typed */
  draw(round, typed) {
    const depth = depthTyped(round, typed);
    if (depth === this.lit) return;
    this.lit = depth;
    this.nodes.forEach((node, i) => void node.classList.toggle("lit", i < depth));
  }
}
