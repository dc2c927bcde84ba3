// The bar over an open lesson: which chapter it is, the analogy, the language, and the way to teach with it; and the row under its words, with Back and Next.

import { button, el, pickerOf, place, setText } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import type { LearnData, Lesson, LessonPage } from "./lesson_types.ts";
import { textOf } from "./trusted_html.ts";

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
    if (data.languages.length > 1) tools.append(languagePicker(words.language, data, speak));
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

export class LearnMarks {
  node = el("nav", "learn-marks");
  steps = el("input", { class: "learn-steps", type: "range", min: 1 });
  row = el("div", "learn-row", this.steps);
  back: HTMLButtonElement;
  keys = el("span", "learn-keys");
  next: HTMLButtonElement;
  open = 0;

  constructor({ turn, turnTo }: { turn: (by: number) => void; turnTo: (index: number) => void }) {
    this.back = button("learn-button back", "", () => turn(-1));
    this.next = button("learn-button next", "", () => turn(1));
    this.steps.addEventListener("input", () => {
      turnTo(Number(this.steps.value) - 1);
      this.steps.value = String(this.open + 1); // where a presenter turns the pages, nothing was turned
    });
    this.node.append(this.row, this.back, this.keys, this.next);
  }

  /** @param followed whether another chapter comes after the last page. */
  show(words: Record<string, string>, lesson: Lesson, open: number, followed: boolean) {
    const { pages, title } = lesson;
    this.open = open;
    setText(this.back, words.back);
    setText(this.next, words.next);
    this.back.disabled = open === 0;
    this.next.disabled = !pages[open + 1] && !followed;
    const count = pages[open].question?.choices.length ?? 0;
    setText(this.keys, count ? filledIn(words.answer_keys, { count }) : words.keys);
    this.steps.max = String(pages.length);
    this.steps.value = String(open + 1);
    this.row.style.setProperty("--count", String(pages.length));
    this.row.style.setProperty("--passed", String(open));
    const where = `${filledIn(words.step, { number: open + 1 })}: ${textOf(pages[open].title) || words.done}`;
    place(this.node, { "aria-label": title });
    place(this.steps, { "aria-label": title, "aria-valuetext": where });
  }
}

/** Each language goes by its own name; `speak` is called with the code of the one that is chosen. */
export function languagePicker(
  label: string,
  { languages, language }: Pick<LearnData, "languages" | "language">,
  speak: (language: string) => void,
) {
  const names = languages.map(({ code, name }) => [code, name] as [string, string]);
  const picker = pickerOf("learn-language", label, names, language, speak);
  for (const option of picker.options) option.lang = option.value;
  return picker;
}
