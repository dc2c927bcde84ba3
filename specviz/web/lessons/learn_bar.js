// The bar over an open lesson: which chapter it is, the analogy and the language, and the way to teach with it.

/** @import { LearnData, Lesson } from "./types" */

import { el } from "../shared/dom.js";
import { filledIn } from "../shared/words.js";
import { languagePicker } from "./language_picker.js";
import { button } from "./lesson_page.js";

/**
 * @typedef {{ speak: (language: string) => void, teach: () => void, contents: () => void, share: () => void, compare: (analogy: string) => void }} BarActs
 *   `speak` opens the same page in another language.
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
  show(data, lesson) {
    const { words, talk } = data;
    const { speak, teach, contents, share } = this.acts;
    const where = el("div", "learn-where");
    const chapter = filledIn(words.chapter, { number: lesson.number, minutes: lesson.minutes });
    where.append(el("p", "learn-faint", chapter), el("h1", "learn-title", lesson.title));
    const tools = el("div", "learn-tools");
    tools.hidden = talk; // there the bar of the page has its place
    if (lesson.analogies.length > 1) tools.append(this.switcher(words.captions, lesson));
    if (data.languages.length > 1) tools.append(languagePicker(data, speak));
    const [chapters, shares] = [
      button("contents-button", words.chapters, contents),
      button("share-button", words.share, share),
    ];
    tools.append(chapters, shares, button("teach-button", words.teach, teach));
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
}
