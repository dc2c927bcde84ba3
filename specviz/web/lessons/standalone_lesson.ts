// A lesson on a page of its own: its sections are in the page, and the picture beside them is what the open one speaks of.

import { onOtherColours } from "../shared/dom.ts";
import { embed } from "../shared/embed.ts";
import { explain } from "../shared/notes.ts";
import { useWords } from "../shared/words.ts";
import { LessonPicture } from "./lesson_picture.ts";
import { turnOfKey } from "./lesson_stage.ts";
import type { ExportedLesson, LearnData, LessonPage, Place } from "./lesson_types.ts";
import { gloss, TermFinder } from "./terms.ts";

class StandaloneLesson {
  lesson: ExportedLesson;
  /** What the picture reads of it. */
  data: LearnData;
  picture = new LessonPicture();
  sections: HTMLElement[] = [...document.querySelectorAll("section")];
  marks: HTMLAnchorElement[] = [...document.querySelectorAll("a")].filter((link) =>
    link.classList.contains("lesson-mark"),
  );
  open = -1;

  constructor(host: HTMLElement, lesson: ExportedLesson) {
    this.lesson = lesson;
    this.data = { ...lesson, talk: false } as unknown as LearnData;
    host.replaceChildren(this.picture.node);
    this.picture.give(this.data);
    this.markTerms();
    document.body.classList.add("stepwise");
    document.addEventListener("keydown", (event) => this.hear(event), true);
    document.addEventListener("click", (event) => this.press(event));
    window.addEventListener("hashchange", () => this.follow());
    onOtherColours(() => this.wear());
    this.picture.wear();
    this.follow();
    embed();
  }

  /** The terms of the glossary in each section, and in the introduction before the first one. */
  markTerms() {
    const finder = new TermFinder(this.lesson.glossary);
    this.sections.forEach((section, index) => {
      const intro = index === 0 ? [...document.querySelectorAll(".intro")] : [];
      const own = [...section.children].filter((part) => part.tagName !== "H2" || section.dataset.asks);
      gloss([...intro, ...own], finder);
    });
    for (const figure of document.querySelectorAll(".lesson-figure, .lesson-token")) {
      if (!(figure instanceof HTMLElement) || !figure.dataset.how) continue;
      explain(figure, figure.dataset.how);
    }
  }

  wear() {
    this.picture.wear();
    const { picture, place } = this.lesson.sections[this.open];
    if (picture !== "stage") this.point(place, true);
  }

  /** Open the section that the address names. */
  follow() {
    const named = this.sections.findIndex((section) => `#${section.id}` === location.hash);
    this.show(Math.max(0, named));
  }

  step(by: number) {
    const index = this.open + by;
    if (this.sections[index]) location.hash = this.sections[index].id;
  }

  hear(event: KeyboardEvent) {
    const by = turnOfKey(event);
    if (!by) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.step(by);
  }

  press({ target }: MouseEvent) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || this.picture.node.contains(button)) return;
    if (button.dataset.by) this.step(Number(button.dataset.by));
    else if (button.dataset.analogy) document.body.dataset.analogy = this.switchTo(button.dataset.analogy);
    else if (button.classList.contains("lesson-choice")) this.answer(button);
  }

  switchTo(name: string) {
    for (const node of document.querySelectorAll("[data-analogy]")) {
      if (node.tagName === "BUTTON")
        node.setAttribute("aria-pressed", String(node.getAttribute("data-analogy") === name));
      else if (node instanceof HTMLElement && node !== document.body) node.hidden = node.dataset.analogy !== name;
    }
    return name;
  }

  answer(button: HTMLButtonElement) {
    const section = this.sections[this.open];
    for (const choice of section.querySelectorAll(".lesson-choice"))
      choice.classList.toggle("chosen", choice === button);
    for (const outcome of section.querySelectorAll(".outcome")) {
      if (outcome instanceof HTMLElement)
        outcome.hidden = outcome.classList.contains("right") !== (button.dataset.right === "1");
    }
    for (const because of section.querySelectorAll(".because")) because.removeAttribute("hidden");
    const { answer } = this.lesson.sections[this.open];
    if (answer) this.point(answer, true);
  }

  show(index: number) {
    const forward = index > this.open;
    this.open = index;
    document.body.classList.toggle("under-way", index > 0);
    this.sections.forEach((section, at) => {
      section.hidden = at !== index;
    });
    this.marks.forEach((mark, at) => {
      if (at === index) mark.setAttribute("aria-current", "step");
      else mark.removeAttribute("aria-current");
    });
    for (const button of document.querySelectorAll("button[data-by]")) {
      if (button instanceof HTMLButtonElement) button.disabled = !this.sections[index + Number(button.dataset.by)];
    }
    this.point(this.lesson.sections[index].place, forward);
  }

  point(place: Place, forward: boolean) {
    const page = this.lesson.sections[this.open] as unknown as LessonPage;
    this.picture.show(page, place, this.data, forward);
  }
}

const pictureHost = document.querySelector(".picture");
const lessonData = document.getElementById("lesson")?.textContent;
if (pictureHost instanceof HTMLElement && lessonData) {
  const lesson = JSON.parse(lessonData);
  useWords(lesson.spoken);
  new StandaloneLesson(pictureHost, lesson);
}
