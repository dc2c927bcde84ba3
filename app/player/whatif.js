// "What if k were ...": a slider that redraws the whole run for another draft length, and the way back to the real one.

const MAX_WHAT_IF = 16;

class WhatIf {
  // `ask` is called with a draft length, and with null for the real run.
  constructor(ask) {
    this.node = el("div", "whatif");
    this.node.hidden = true;
    const label = el("label", "whatif-label", "What if k were");
    this.slider = el("input", "whatif-k");
    Object.assign(this.slider, { type: "range", min: "1", max: String(MAX_WHAT_IF), step: "1" });
    this.slider.addEventListener("input", () => ask(Number(this.slider.value)));
    label.append(this.slider);
    this.value = el("b", "whatif-value", "");
    this.says = el("span", "whatif-says", "");
    this.back = el("button", "chip", "Back to the real run");
    this.back.type = "button";
    this.back.addEventListener("click", () => ask(null));
    this.node.append(label, this.value, this.says, this.back);
  }

  // `real` is the run that was recorded, `k` the draft length that is asked about, or null.
  draw(real, k) {
    const on = canReplan(real);
    if (this.node.hidden === on) reveal(this.node, on);
    if (!on) return;
    const shown = String(k ?? real.k);
    if (this.slider.value !== shown) this.slider.value = shown;
    this.slider.setAttribute("aria-valuetext", k === null ? `the real run, k = ${shown}` : `k = ${shown}, replanned`);
    setText(this.value, shown);
    setText(this.says, k === null ? "the real run" : REPLANNED);
    this.node.classList.toggle("on", k !== null);
    this.back.style.visibility = k === null ? "hidden" : "visible";
  }
}
