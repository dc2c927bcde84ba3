// The predicted speedup over the draft length, beside Run: of the run that is on the stage of the same page, with the length that the form has.

/** @import { Curve } from "../shared/types" */

import { button, el, listenWhileShown, setText } from "../shared/dom.js";
import { word } from "../shared/words.js";
import { KCurve } from "./k_curve.js";
import { kWordsOf, NEW_CURVE, OTHER_K } from "./k_curve_text.js";

/** @typedef {{ data: { k: number } | null, parentElement: Document | Element | ShadowRoot }} KComponent `k` is 0 where it is left to specviz. */

/** What draws each place on the page. @type {WeakMap<Element, Beside>} */
const drawn = new WeakMap();

class Beside {
  /** @param {Element} root */
  constructor(root) {
    this.curve = new KCurve();
    this.figure = el("strong", "", "");
    this.says = el("span", "", "");
    const words = el("p", "", this.figure, " ", this.says);
    /** Has the stage show the run's exact steps with this length, or the run again. */
    this.try = button({ class: "k-try", hidden: true }, "", () => this.press());
    root.replaceChildren(this.curve.node, words, this.try);
    this.k = 0;
    this.tried = 0;
    listenWhileShown(root, window, NEW_CURVE, () => this.draw());
  }

  draw() {
    /** @type {Curve | undefined} */
    const curve = window.specvizCurve;
    const known = Boolean(curve?.speeds.length);
    this.curve.node.toggleAttribute("hidden", !known);
    if (!curve) return;
    const at = this.k || curve.auto;
    if (known) this.curve.draw(curve, at);
    const { figure, says } = kWordsOf(curve, at, false);
    setText(this.figure, figure ? `k = ${at}: ${figure}` : "");
    setText(this.says, says);
    if (this.tried !== at) this.tried = 0;
    this.try.hidden = !curve.steps || at === curve.own.k;
    setText(this.try, this.tried ? word("Show the real run") : word("Show this run with k = {k}", { k: at }));
  }

  press() {
    const curve = window.specvizCurve;
    if (!curve) return;
    this.tried = this.tried ? 0 : this.k || curve.auto;
    window.dispatchEvent(new CustomEvent(OTHER_K, { detail: this.tried || null }));
    this.draw();
  }
}

export { useWords } from "../shared/words.js";

/** @param {KComponent} component */
export default function mountBeside({ data, parentElement }) {
  const root = parentElement.querySelector(".k-beside");
  if (!root || !data) return;
  const beside = drawn.get(root) ?? new Beside(root);
  drawn.set(root, beside);
  beside.k = data.k;
  beside.draw();
}
