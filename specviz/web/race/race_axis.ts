// The one axis of all lanes: seconds of the engine's clock, and the slider that moves it.

import { el, isNew } from "../shared/dom.ts";
import { axisMarks, clockWords } from "../shared/labels.ts";
import { Scrubber } from "../shared/scrubber.ts";
import { word } from "../shared/words.ts";
import type { Course } from "./race_reading.ts";

export class RaceAxis {
  node: HTMLDivElement;
  scrubber: Scrubber;
  marks = el("div", { class: "marks", "aria-hidden": "true" });

  /** @param seek called with a share of the axis. */
  constructor(seek: (share: number) => void) {
    this.scrubber = new Scrubber(word("Time on the clock"), seek);
    const scale = el("div", "scale", this.scrubber.node, this.marks);
    this.node = el("div", "axis", el("span", "of-axis", word("time, the same for all lanes")), scale);
  }

  draw({ span }: Course, clock: number) {
    if (isNew(this, span)) this.mark(span);
    const words = word("{some} of {all}", { some: clockWords(clock, span), all: clockWords(span, span) });
    this.scrubber.draw(span > 0 ? clock / span : 0, words);
  }

  /** Marks with their times under the slider; the lanes draw their lines from `--step`, a share of the axis. */
  mark(span: number) {
    const marks = axisMarks(span);
    const nodes = [{ seconds: 0, words: "0" }, ...marks].map(({ seconds, words }) =>
      el("span", { class: "mark", "--at": span > 0 ? seconds / span : 0 }, words),
    );
    this.marks.replaceChildren(...nodes);
    const race = this.node.closest(".race");
    const step = marks.length ? `${(100 * marks[0].seconds) / span}%` : "100%";
    if (race instanceof HTMLElement) race.style.setProperty("--step", step);
  }
}
