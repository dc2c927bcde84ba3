// The slider that moves a clock.

import { el, place } from "./dom.ts";

const STEPS = 1000;

export class Scrubber {
  node: HTMLInputElement;

  /** @param seek called with a share of the clock */
  constructor(label: string, seek: (share: number) => void) {
    const range = { type: "range", min: 0, max: STEPS, value: 0 };
    this.node = el("input", { class: "scrubber", "aria-label": label, ...range });
    this.node.addEventListener("input", () => seek(Number(this.node.value) / STEPS));
  }

  /** @param words the position, for those who hear the page */
  draw(share: number, words: string) {
    const value = String(Math.round(STEPS * share));
    if (this.node.value !== value) this.node.value = value;
    const done = `${(100 * Number(value)) / STEPS}%`;
    if (this.node.style.getPropertyValue("--done") !== done) this.node.style.setProperty("--done", done);
    place(this.node, { "aria-valuetext": words });
  }
}
