// The bar over an open lesson: which chapter it is, the analogy and the language, and the way to teach with it.

/** @import { LearnData, Lesson } from "./types" */

import { el } from "../shared/dom.js";
import { button } from "./lesson_page.js";
import { filledIn } from "./page_turning.js";

/**
 * @typedef {{ go: (language: string, shown?: Record<string, string>) => void, contents: () => void, compare: (analogy: string) => void }} BarActs
 *   `go` opens the same page in a language, and in another way of showing it.
 */

export class LearnBar {
  /** @param {BarActs} acts */
  constructor(acts) {
    this.acts = acts;
    this.node = el("header", "learn-bar");
  }

  /**
   * @param {LearnData} data
   * @param {Lesson} lesson
   */
  show({ words, languages, talk }, lesson) {
    const { go, contents } = this.acts;
    const where = el("div", "learn-where");
    const chapter = filledIn(words.chapter, { number: lesson.number, minutes: lesson.minutes });
    where.append(el("p", "learn-faint", chapter), el("h1", "learn-title", lesson.title));
    const tools = el("div", "learn-tools");
    tools.hidden = talk; // there the bar of the page has its place
    if (lesson.analogies.length > 1) tools.append(this.switcher(words.captions, lesson));
    if (languages.length > 1) tools.append(this.picker(words.language, languages, lesson));
    tools.append(
      button("contents-button", words.chapters, contents),
      button("teach-button", words.teach, () => go(lesson.language, { teach: "1" })),
    );
    this.node.replaceChildren(where, tools);
  }

  /** @param {string} analogy the one whose captions are shown. */
  press(analogy) {
    for (const chip of this.node.querySelectorAll("[data-analogy]"))
      chip.setAttribute("aria-pressed", String(chip.getAttribute("data-analogy") === analogy));
  }

  /**
   * @param {string} label
   * @param {Lesson} lesson
   */
  switcher(label, { analogies }) {
    const group = el("div", "learn-analogies");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    group.append(el("span", "learn-faint", label));
    for (const { name } of analogies) {
      const chip = button("analogy", name, () => this.acts.compare(name));
      chip.dataset.analogy = name;
      group.append(chip);
    }
    return group;
  }

  /**
   * @param {string} label
   * @param {LearnData["languages"]} languages
   * @param {Lesson} lesson
   */
  picker(label, languages, lesson) {
    const picker = el("select", "learn-language");
    picker.setAttribute("aria-label", label);
    for (const { code, name } of languages) {
      const option = el("option", "", name);
      option.value = code;
      picker.append(option);
    }
    picker.value = lesson.language;
    picker.addEventListener("change", () => this.acts.go(picker.value));
    return picker;
  }
}
