// A lane's bar: as long as the lane has taken, in blocks, one for each pass of the target, with the tokens that it wrote. The flag stands
// where the lane ended.

import { el, icon, isNew } from "../shared/dom.ts";
import type { Moment } from "./race_course.ts";
import type { Course, Lane } from "./race_reading.ts";

const FLAG: [string, string][] = [
  ["pole", "M3 2h2v20H3z"],
  ["cloth", "M5 3h17v11H5z"],
  [
    "checks",
    "M5 3h4.25v3.7H5zM13.5 3h4.25v3.7H13.5zM9.25 6.7h4.25v3.6H9.25zM17.75 6.7H22v3.6h-4.25zM5 10.3h4.25V14H5zM13.5 10.3h4.25V14H13.5z",
  ],
];

/** With more passes than this the blocks are too narrow to be seen one by one: the bar is one piece. */
const MOST_BLOCKS = 128;

export class TimeBar {
  head: HTMLDivElement;
  node: HTMLDivElement;
  recorded = el("div", "recorded");
  elapsed = el("div", "elapsed");
  blocks = el("div", "blocks");
  passes = el("div", { class: "passes-taken", "aria-hidden": "true" }, this.blocks);

  /** @param end what is written where the bar ends. */
  constructor(end: HTMLElement) {
    this.head = el("div", "bar-end", icon("flag", FLAG), end);
    this.node = el("div", "track", this.recorded, this.elapsed, this.passes, this.head);
  }

  draw({ span }: Course, lane: Lane, clock: number, { passes }: Moment) {
    this.divide(lane, span);
    const share = (seconds: number) => (span > 0 ? Math.min(1, seconds / span) : 0);
    const elapsed = share(Math.min(clock, lane.known));
    const passed = share(passes ? lane.ends[passes - 1] : 0);
    const recorded = lane.closed ? 0 : share(lane.known);
    if (!isNew(this, elapsed, passed, recorded)) return;
    this.recorded.style.transform = `scaleX(${recorded})`;
    this.elapsed.style.transform = `scaleX(${elapsed})`;
    this.passes.style.clipPath = `inset(0 ${100 * (1 - passed)}% 0 0 round 0.3em)`;
    this.head.style.transform = `translateX(${100 * elapsed}cqw)`;
  }

  /** The blocks of the whole lane, of which only those of passes that have ended are seen. */
  divide(lane: Lane, span: number) {
    const { ends, totals } = lane;
    if (!isNew(this.blocks, span, ends.length, ends.at(-1))) return;
    if (ends.length > MOST_BLOCKS) {
      this.blocks.replaceChildren();
      return;
    }
    while (this.blocks.childElementCount > ends.length) this.blocks.lastElementChild?.remove();
    while (this.blocks.childElementCount < ends.length) this.blocks.append(el("i", "block"));
    ends.forEach((end, i) => {
      const block = this.blocks.children[i] as HTMLElement;
      const from = i ? ends[i - 1] : 0;
      block.style.left = `${(100 * from) / span}%`;
      block.style.width = `${(100 * (end - from)) / span}%`;
      const tokens = totals[i + 1].tokens - totals[i].tokens;
      block.dataset.tokens = String(tokens);
      block.classList.toggle("two-digits", tokens > 9);
    });
  }
}
