// What a screen reader hears: each round that is shown long enough, and the end.

/** @import { Looks, Position, Run } from "../shared/types" */

import { el, setText } from "../shared/dom.js";
import { summaryOf } from "./stage_text.js";

export class SpokenRounds {
  constructor() {
    this.node = el("p", { class: "unseen", "aria-live": "polite" }, "");
    /** What was said last: a round, or the end. @type {number | "end"} */
    this.said = -1;
  }

  clear() {
    this.said = -1;
  }

  /**
   * @param {Run} run
   * @param {Looks} looks
   * @param {Position} position
   * @param {{ first: string, end: string }} words `first` stands before a round's own sentence; `end` is empty before the end.
   */
  draw(run, looks, { index, joined }, { first, end }) {
    const now = end ? "end" : index;
    if (!joined || this.said === now) return;
    this.said = now;
    setText(this.node, end || first + summaryOf(run, looks, index));
  }
}
