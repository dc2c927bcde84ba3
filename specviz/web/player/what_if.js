// "What if k were ...": in place of the caption, the predicted speedup over the draft length with a slider under it. Where the steps of another
// length are exact, the slider redraws the whole run.

/** @import { Curve, Run } from "../shared/types" */

import { button, el, reveal, setText } from "../shared/dom.js";
import { word } from "../shared/words.js";
import { KCurve } from "./k_curve.js";
import { curveOf, kWordsOf } from "./k_curve_text.js";
import { LONGEST_K } from "./predicted_speed.js";

export class WhatIf {
  /**
   * @param {(k: number | null) => void} ask called with a draft length, and with null for the real run.
   * @param {() => void} redraw called when only the panel changes.
   */
  constructor(ask, redraw) {
    this.ask = ask;
    this.redraw = redraw;
    this.open = false;
    /** The draft length that is pointed at; null for that of the run. @type {number | null} */
    this.k = null;
    this.chip = button("chip what-if", word("What if k …"), () => this.toggle());
    this.label = el("label", "whatif-label", word("What if k were"));
    this.slider = el("input", "whatif-k");
    Object.assign(this.slider, { type: "range", min: "1", max: String(LONGEST_K), step: "1" });
    this.slider.addEventListener("input", () => this.point(Number(this.slider.value)));
    this.value = el("span", "whatif-value", "");
    this.curve = new KCurve();
    const over = el("div", "whatif-curve", this.curve.node, this.slider);
    this.label.append(this.value, over);
    this.figure = el("strong", "whatif-figure", "");
    this.says = el("span", "whatif-says", "");
    this.use = button("chip whatif-use", "", () => this.set());
    const words = el("div", "whatif-words", this.figure, this.says, this.use);
    this.node = el("div", "whatif", this.label, words);
    /** Sets the form of the page; null where there is none. @type {((change: Record<string, string>) => void) | null} */
    this.suggest = null;
    /** The run that is on the stage. @type {string | null} */
    this.id = null;
    /** The run that the curve is of, and the curve. @type {Run | null} */
    this.real = null;
    /** @type {Curve | null} */
    this.known = null;
    /** The draft length that the form was set to. */
    this.taken = 0;
  }

  /** Open it, or close it and go back to the real run. */
  toggle() {
    this.open = !this.open;
    this.k = null;
    this.ask(null);
    if (this.open) requestAnimationFrame(() => this.slider.focus());
  }

  /** @param {number} k */
  point(k) {
    this.k = k;
    this.taken = 0;
    if (this.known?.steps) this.ask(k);
    else this.redraw();
  }

  set() {
    if (!this.real || !this.suggest) return;
    this.taken = Number(this.slider.value);
    this.suggest({ drafter: this.real.drafterText.name, k: String(this.taken), policy: "fixed" });
    this.redraw();
  }

  /**
   * Returns whether it is shown.
   * @param {Run} real the run that was recorded.
   * @param {number | null} k the draft length that is shown instead, or null.
   */
  draw(real, k) {
    if (this.id !== real.id) this.open = false;
    this.id = real.id;
    if (this.node.hidden === this.open) reveal(this.node, this.open);
    this.chip.classList.toggle("on", this.open);
    setText(this.chip, this.open ? word("Real run") : word("What if k …"));
    if (!this.open) return false;
    if (this.real !== real) {
      this.real = real;
      this.known = curveOf(real);
      this.k = k;
    }
    const curve = /** @type {Curve} */ (this.known);
    const at = k ?? this.k ?? Math.max(1, real.k);
    const { figure, says } = kWordsOf(curve, at, k !== null);
    if (this.slider.value !== String(at)) this.slider.value = String(at);
    this.label.hidden = !curve.speeds.length && !curve.steps;
    this.slider.setAttribute("aria-valuetext", [`k = ${at}`, figure].filter(Boolean).join(", "));
    setText(this.value, String(at));
    this.curve.node.toggleAttribute("hidden", !curve.speeds.length);
    if (curve.speeds.length) this.curve.draw(curve, at);
    setText(this.figure, figure);
    setText(this.says, says);
    this.use.hidden = !this.suggest || this.label.hidden;
    this.use.disabled = this.taken === at;
    setText(this.use, this.taken === at ? word("Set: now press Run") : word("Use k = {k}", { k: at }));
    this.node.classList.toggle("on", k !== null);
    return true;
  }
}
