// The bar over an open lesson: which chapter it is, the analogy and the language, and the way to teach with it.

import { button, el, pickerOf } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import { languagePicker } from "./language_picker.ts";
import type { LearnData, Lesson, LessonPage } from "./lesson_types.ts";

/** `speak` opens the same page in another language. */
type BarActs = {
  speak: (language: string) => void;
  teach: () => void;
  contents: () => void;
  share: () => void;
  compare: (analogy: string) => void;
};

export class LearnBar {
  acts: BarActs;
  node = el("header", "learn-bar");
  analogies = el("select");

  constructor(acts: BarActs) {
    this.acts = acts;
  }

  show(data: LearnData, lesson: Lesson) {
    const { words, talk } = data;
    const { speak, teach, contents, share } = this.acts;
    const chapter = filledIn(words.chapter, { number: lesson.number, minutes: lesson.minutes });
    const where = el("div", "learn-where", el("p", "learn-faint", chapter), el("h1", "learn-title", lesson.title));
    const tools = el("div", "learn-tools");
    tools.hidden = talk; // there the bar of the page has its place
    const { value, hidden } = this.analogies;
    const names = lesson.analogies.map(({ name }) => [name, `${words.captions}: ${name}`] as [string, string]);
    this.analogies = pickerOf("learn-language", words.captions, names, value, (name) => this.acts.compare(name));
    this.analogies.hidden = hidden;
    if (names.length > 1) tools.append(this.analogies);
    if (data.languages.length > 1) tools.append(languagePicker(data, speak));
    tools.append(
      button("learn-button contents-button", words.chapters, contents),
      button("learn-button share-button", words.share, share),
      button("learn-button teach-button", words.teach, teach),
    );
    this.node.replaceChildren(where, tools);
  }

  /** @param analogy the one whose captions are shown; a page that has none has no choice of them either. */
  press(analogy: string, { captions }: LessonPage) {
    this.analogies.value = analogy;
    this.analogies.hidden = !Object.values(captions).some(Boolean);
  }
}
