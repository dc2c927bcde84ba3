// The row of marks under the words, one for each page of the lesson, with Back and Next.

import { activeIn, button, el } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import type { Lesson, LessonPage } from "./lesson_types.ts";
import { searchOf } from "./page_turning.ts";
import { textOf } from "./trusted_html.ts";

type MarkActs = { turn: (by: number) => void; turnTo: (index: number) => void };

export class LearnMarks {
  acts: MarkActs;
  node = el("nav", "learn-marks");

  constructor(acts: MarkActs) {
    this.acts = acts;
  }

  /**
   * The focus, if it was in the row, stays on the same mark or button.
   * @param followed whether another chapter comes after the last page.
   */
  show(words: Record<string, string>, lesson: Lesson, pages: LessonPage[], open: number, followed: boolean) {
    const holder = activeIn(this.node);
    const held = holder instanceof HTMLElement && this.node.contains(holder) ? holder.dataset.name : undefined;
    const row = el("div", "learn-row", ...pages.map((page, index) => this.mark(words, lesson, page, index, open)));
    const back = button("learn-button back", words.back, () => this.acts.turn(-1));
    const next = button("learn-button next", words.next, () => this.acts.turn(1));
    back.dataset.name = "back";
    next.dataset.name = "next";
    back.disabled = open === 0;
    next.disabled = !pages[open + 1] && !followed;
    const count = pages[open].question?.choices.length ?? 0;
    const keys = count ? filledIn(words.answer_keys, { count }) : words.keys;
    this.node.setAttribute("aria-label", lesson.title);
    this.node.replaceChildren(row, back, el("span", "learn-keys", keys), next);
    const again = held && this.node.querySelector(`[data-name="${held}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  mark(words: Record<string, string>, lesson: Lesson, page: LessonPage, index: number, open: number) {
    const mark = el("a", `learn-mark ${page.kind}`);
    mark.href = searchOf(location.search, lesson, index);
    const title = textOf(page.title) || words.done;
    mark.setAttribute("aria-label", `${filledIn(words.step, { number: index + 1 })}: ${title}`);
    mark.dataset.name = `mark-${index}`;
    if (index === open) mark.setAttribute("aria-current", "step");
    mark.classList.toggle("passed", index < open);
    mark.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.acts.turnTo(index);
    });
    return mark;
  }
}
