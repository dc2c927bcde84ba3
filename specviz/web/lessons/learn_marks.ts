// The row under the words: where in the lesson the page is, as a slider of as many marks as it has pages, with Back and Next.

import { activeIn, button, el, place } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import type { Lesson, LessonPage } from "./lesson_types.ts";
import { textOf } from "./trusted_html.ts";

type MarkActs = { turn: (by: number) => void; turnTo: (index: number) => void };

export class LearnMarks {
  acts: MarkActs;
  node = el("nav", "learn-marks");
  steps = el("input", { class: "learn-steps", type: "range", min: 1 });
  row = el("div", "learn-row", this.steps);
  open = 0;

  constructor(acts: MarkActs) {
    this.acts = acts;
    this.steps.addEventListener("input", () => {
      acts.turnTo(Number(this.steps.value) - 1);
      this.steps.value = String(this.open + 1); // where a presenter turns the pages, nothing was turned
    });
  }

  /**
   * The focus, if it was in the row, stays on the same button.
   * @param followed whether another chapter comes after the last page.
   */
  show(words: Record<string, string>, lesson: Lesson, pages: LessonPage[], open: number, followed: boolean) {
    this.open = open;
    const holder = activeIn(this.node);
    const held = holder instanceof HTMLElement && this.node.contains(holder) ? holder.dataset.name : undefined;
    const step = (name: string, by: number, disabled: boolean) =>
      button({ class: `learn-button ${name}`, "data-name": name, disabled }, words[name], () => this.acts.turn(by));
    const [back, next] = [step("back", -1, open === 0), step("next", 1, !pages[open + 1] && !followed)];
    const count = pages[open].question?.choices.length ?? 0;
    const keys = count ? filledIn(words.answer_keys, { count }) : words.keys;
    this.node.setAttribute("aria-label", lesson.title);
    this.steps.max = String(pages.length);
    this.steps.value = String(open + 1);
    this.row.style.setProperty("--count", String(pages.length));
    this.row.style.setProperty("--passed", String(open));
    const where = filledIn(words.step, { number: open + 1 });
    place(this.steps, {
      "aria-label": lesson.title,
      "aria-valuetext": `${where}: ${textOf(pages[open].title) || words.done}`,
    });
    if (!this.row.parentNode) this.node.append(this.row);
    while (this.row.nextSibling) this.row.nextSibling.remove(); // the slider stays where it is: it may be being dragged
    this.node.append(back, el("span", "learn-keys", keys), next);
    const again = held && this.node.querySelector(`[data-name="${held}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}
