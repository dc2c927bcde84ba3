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
    const step = (name: string, by: number, disabled: boolean) =>
      button({ class: `learn-button ${name}`, "data-name": name, disabled }, words[name], () => this.acts.turn(by));
    const [back, next] = [step("back", -1, open === 0), step("next", 1, !pages[open + 1] && !followed)];
    const count = pages[open].question?.choices.length ?? 0;
    const keys = count ? filledIn(words.answer_keys, { count }) : words.keys;
    this.node.setAttribute("aria-label", lesson.title);
    this.node.replaceChildren(row, back, el("span", "learn-keys", keys), next);
    const again = held && this.node.querySelector(`[data-name="${held}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  mark(words: Record<string, string>, lesson: Lesson, page: LessonPage, index: number, open: number) {
    const title = textOf(page.title) || words.done;
    const mark = el("a", {
      class: `learn-mark ${page.kind}${index < open ? " passed" : ""}`,
      href: searchOf(location.search, lesson, index),
      "aria-label": `${filledIn(words.step, { number: index + 1 })}: ${title}`,
      "data-name": `mark-${index}`,
      "aria-current": index === open ? "step" : "",
    });
    mark.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.acts.turnTo(index);
    });
    return mark;
  }
}
