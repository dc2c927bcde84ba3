// A lesson on a page of its own: its sections are in the page, and the picture beside them is what the open one speaks of.

/** @import { ExportedLesson, LearnData, LessonPage, Place } from "./types" */

import { onOtherColours } from "../shared/dom.js";
import { embed } from "../shared/embed.js";
import { explain } from "../shared/notes.js";
import { useWords } from "../shared/words.js";
import { turnOfKey } from "./held_stage.js";
import { LessonPicture } from "./lesson_picture.js";
import { TermFinder } from "./term_finder.js";
import { gloss } from "./term_notes.js";

class ExportedPage {
  /** @param {HTMLElement} host @param {ExportedLesson} lesson */
  constructor(host, lesson) {
    this.lesson = lesson;
    /** What the picture reads of it. */
    this.data = /** @type {LearnData} */ (/** @type {unknown} */ ({ ...lesson, talk: false }));
    this.picture = new LessonPicture();
    host.replaceChildren(this.picture.node);
    this.picture.give(this.data);
    /** @type {HTMLElement[]} */
    this.sections = [...document.querySelectorAll("section")];
    /** @type {HTMLAnchorElement[]} */
    this.marks = [...document.querySelectorAll("a")].filter((link) => link.classList.contains("lesson-mark"));
    this.open = -1;
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

  /** @param {number} by */
  step(by) {
    const index = this.open + by;
    if (this.sections[index]) location.hash = this.sections[index].id;
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const by = turnOfKey(event);
    if (!by) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.step(by);
  }

  /** @param {MouseEvent} event */
  press({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || this.picture.node.contains(button)) return;
    if (button.dataset.by) this.step(Number(button.dataset.by));
    else if (button.dataset.analogy) document.body.dataset.analogy = this.switchTo(button.dataset.analogy);
    else if (button.classList.contains("lesson-choice")) this.answer(button);
  }

  /** @param {string} name */
  switchTo(name) {
    for (const node of document.querySelectorAll("[data-analogy]")) {
      if (node.tagName === "BUTTON")
        node.setAttribute("aria-pressed", String(node.getAttribute("data-analogy") === name));
      else if (node instanceof HTMLElement && node !== document.body) node.hidden = node.dataset.analogy !== name;
    }
    return name;
  }

  /** @param {HTMLButtonElement} button */
  answer(button) {
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

  /** @param {number} index */
  show(index) {
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

  /** @param {Place} place @param {boolean} forward */
  point(place, forward) {
    const page = /** @type {LessonPage} */ (/** @type {unknown} */ (this.lesson.sections[this.open]));
    this.picture.show(page, place, this.data, forward);
  }
}

const pictureHost = document.querySelector(".picture");
const lessonData = document.getElementById("lesson")?.textContent;
if (pictureHost instanceof HTMLElement && lessonData) {
  const lesson = JSON.parse(lessonData);
  useWords(lesson.spoken);
  new ExportedPage(pictureHost, lesson);
}
