// A lesson on a page of its own: its sections are in the page, and the stage shows the moment that the open one speaks of.

/** @import { ExportedLesson, Place } from "./types" */

import { themeOf } from "../player/dom.js";
import { Stage } from "../player/stage.js";
import { light } from "./lit.js";
import { clockOfMoment } from "./moment.js";

/** At most so many seconds of the way from one moment to the next are played. */
const MOST_PLAYED = 4;

const FORWARD = ["ArrowRight", "PageDown"];
const BACKWARD = ["ArrowLeft", "PageUp"];
const OWN_KEYS = "input, select, textarea";

class ExportedPage {
  /**
   * @param {HTMLElement} root
   * @param {ExportedLesson} lesson
   */
  constructor(root, lesson) {
    this.root = root;
    this.lesson = lesson;
    this.stage = new Stage(root);
    /** @type {HTMLElement[]} */
    this.sections = [...document.querySelectorAll("section")];
    /** @type {HTMLAnchorElement[]} */
    this.marks = [...document.querySelectorAll("a")].filter((link) => link.classList.contains("lesson-mark"));
    this.open = -1;
    /** @type {string | null} */
    this.recording = null;
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
    this.stage.frames.ask();
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
    const { key, target } = event;
    if (event.metaKey || event.ctrlKey || event.altKey || (target instanceof Element && target.matches(OWN_KEYS)))
      return;
    const by = Number(FORWARD.includes(key)) - Number(BACKWARD.includes(key));
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
    for (const told of section.querySelectorAll(".told")) {
      if (told instanceof HTMLElement)
        told.hidden = told.classList.contains("right") !== (button.dataset.right === "1");
    }
    for (const because of section.querySelectorAll(".because")) because.removeAttribute("hidden");
    const place = this.lesson.answers[this.open];
    if (place) this.point(place, true);
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
    this.point(this.lesson.places[index], forward);
  }

  /**
   * Show a moment on the stage: the way to it is played if it is ahead and near, unless less motion is asked for.
   * @param {Place} place
   * @param {boolean} forward
   */
  point({ recording, moment, lit }, forward) {
    const { stage } = this;
    stage.closeWhy();
    if (recording && moment) {
      const known = this.recording === recording;
      if (!known) stage.show(this.lesson.views[recording], this.lesson);
      this.recording = recording;
      stage.move((head) => {
        const from = head.clock;
        const to = clockOfMoment(stage.run, head.plan, moment);
        const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (known && forward && from < to && !still) {
          head.seek(Math.max(from, to - MOST_PLAYED), true);
          head.until = to;
        } else head.seek(to);
      });
    }
    requestAnimationFrame(() => {
      for (const { part, slot } of lit) {
        if (part === "why" && slot) stage.openWhy(null, slot - 1);
        else if (part === "why closing") stage.openWhy(null, "closing");
      }
      requestAnimationFrame(() => light(this.root, lit));
    });
  }
}

const stageNode = document.querySelector(".stage");
const lessonData = document.getElementById("lesson")?.textContent;
if (stageNode instanceof HTMLElement && lessonData) new ExportedPage(stageNode, JSON.parse(lessonData));
