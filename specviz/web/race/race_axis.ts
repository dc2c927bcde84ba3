// The one axis of all lanes: seconds of the engine's clock, and the slider that moves it.

import { el } from "../shared/dom.ts";
import { axisMarks, clockWords } from "../shared/labels.ts";
import { word } from "../shared/words.ts";
import type { Course } from "./race_types.ts";

const STEPS = 1000;

export class RaceAxis {
  node: HTMLDivElement;
  scrubber = el("input", "scrubber");
  marks = el("div", { class: "marks", "aria-hidden": "true" });
  span = -1;

  /** @param seek called with a share of the axis. */
  constructor(seek: (share: number) => void) {
    Object.assign(this.scrubber, { type: "range", min: "0", max: String(STEPS), value: "0" });
    this.scrubber.setAttribute("aria-label", word("Time on the clock"));
    this.scrubber.addEventListener("input", () => seek(Number(this.scrubber.value) / STEPS));
    const scale = el("div", "scale", this.scrubber, this.marks);
    this.node = el("div", "axis", el("span", "of-axis", word("time, the same for all lanes")), scale);
  }

  draw({ span }: Course, clock: number) {
    if (this.span !== span) this.mark(span);
    const value = String(span > 0 ? Math.round((STEPS * clock) / span) : 0);
    if (this.scrubber.value !== value) this.scrubber.value = value;
    const done = `${(100 * Number(value)) / STEPS}%`;
    if (this.scrubber.style.getPropertyValue("--done") !== done) this.scrubber.style.setProperty("--done", done);
    const words = word("{some} of {all}", { some: clockWords(clock, span), all: clockWords(span, span) });
    if (this.scrubber.getAttribute("aria-valuetext") !== words) this.scrubber.setAttribute("aria-valuetext", words);
  }

  /** Marks with their times under the slider; the lanes draw their lines from `--step`, a share of the axis. */
  mark(span: number) {
    this.span = span;
    const marks = axisMarks(span);
    const zero = el("span", "mark", "0");
    zero.style.left = "0";
    this.marks.replaceChildren(
      zero,
      ...marks.map(({ seconds, words }) => {
        const mark = el("span", "mark", words);
        mark.style.left = `${(100 * seconds) / span}%`;
        return mark;
      }),
    );
    const race = this.node.closest(".race");
    const step = marks.length ? `${(100 * marks[0].seconds) / span}%` : "100%";
    if (race instanceof HTMLElement) race.style.setProperty("--step", step);
  }
}
