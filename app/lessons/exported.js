// A lesson on a page of its own: its sections are in the page, and the stage shows the moment that the open one speaks of.

/** @import { ExportedLesson } from "./types" */

import { themeOf } from "../player/dom.js";
import { Pointer, turnOfKey } from "./pointing.js";

class ExportedPage {
  /**
   * @param {HTMLElement} root
   * @param {ExportedLesson} lesson
   */
  constructor(root, lesson) {
    this.root = root;
    this.lesson = lesson;
    this.pointer = new Pointer(root);
    this.pointer.give(lesson.views, lesson);
    /** @type {HTMLElement[]} */
    this.sections = [...document.querySelectorAll("section")];
    /** @type {HTMLAnchorElement[]} */
    this.marks = [...document.querySelectorAll("a")].filter((link) => link.classList.contains("lesson-mark"));
    this.open = -1;
    document.body.classList.add("stepwise");
    document.addEventListener("keydown", (event) => this.hear(event), true);
    document.addEventListener("click", (event) => this.press(event));
    window.addEventListener("hashchange", () => this.follow());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.wear());
    this.wear();
    this.follow();
  }

  wear() {
    this.root.dataset.theme = themeOf(this.root);
    this.pointer.stage.frames.ask();
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
    if (!button || this.root.contains(button)) return;
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
    const place = this.lesson.answers[this.open];
    if (place) this.pointer.point(place, true);
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
    this.pointer.point(this.lesson.places[index], forward);
  }
}

const stageNode = document.querySelector(".stage");
const lessonData = document.getElementById("lesson")?.textContent;
if (stageNode instanceof HTMLElement && lessonData) new ExportedPage(stageNode, JSON.parse(lessonData));
