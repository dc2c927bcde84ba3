// "What if k were ...": a slider, in place of the caption, that redraws the whole run for another draft length.

/** @import { Run } from "../shared/types" */

import { el, reveal, setText } from "../shared/dom.js";
import { canReplan, ESTIMATE, REPLANNED } from "./replan.js";

const MAX_WHAT_IF = 16;

export class WhatIf {
  /** @param {(k: number | null) => void} ask called with a draft length, and with null for the real run. */
  constructor(ask) {
    this.ask = ask;
    this.open = false;
    this.chip = el("button", "chip what-if", "What if k …");
    this.chip.type = "button";
    this.chip.addEventListener("click", () => this.toggle());
    this.node = el("div", "whatif");
    const label = el("label", "whatif-label", "What if k were");
    this.slider = el("input", "whatif-k");
    Object.assign(this.slider, { type: "range", min: "1", max: String(MAX_WHAT_IF), step: "1" });
    this.slider.addEventListener("input", () => ask(Number(this.slider.value)));
    this.value = el("span", "whatif-value", "");
    label.append(this.slider, this.value);
    this.says = el("span", "whatif-says", "");
    this.node.append(label, this.says);
  }

  /** Open the slider, or close it and go back to the real run. */
  toggle() {
    this.open = !this.open && !this.chip.hidden;
    this.ask(null);
    if (this.open) requestAnimationFrame(() => this.slider.focus());
  }

  /**
   * Returns whether the slider is shown.
   * @param {Run} real the run that was recorded.
   * @param {number | null} k the draft length that is shown instead, or null.
   */
  draw(real, k) {
    const can = canReplan(real);
    this.open = this.open && can;
    if (this.chip.hidden === can) reveal(this.chip, can);
    if (this.node.hidden === this.open) reveal(this.node, this.open);
    this.chip.classList.toggle("on", this.open);
    setText(this.chip, this.open ? "Real run" : "What if k …");
    this.chip.title = this.open
      ? "Back to the run as it was recorded (k)"
      : "The same text with another draft length (k)";
    if (!this.open) return false;
    const shown = String(k ?? real.k);
    if (this.slider.value !== shown) this.slider.value = shown;
    this.slider.setAttribute("aria-valuetext", k === null ? `the real run, k = ${shown}` : `k = ${shown}, ${ESTIMATE}`);
    setText(this.value, shown);
    setText(this.says, k === null ? "the real run, as it was recorded" : REPLANNED);
    this.node.classList.toggle("on", k !== null);
    return true;
  }
}
