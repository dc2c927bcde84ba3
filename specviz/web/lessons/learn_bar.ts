// The bar over an open lesson: which chapter it is, the analogy, the language, and the way to teach with it; and the row under its words, with
// Back and Next.

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

export function learnBar({ speak, teach, contents, share, compare }: BarActs) {
  const node = el("header", "learn-bar");
  let analogies = el("select");

  const show = ({ words, talk, languages, language }: LearnData, lesson: Lesson) => {
    const chapter = filledIn(words.chapter, { number: lesson.number, minutes: lesson.minutes });
    const where = el("div", "learn-where", el("p", "learn-faint", chapter), el("h1", "learn-title", lesson.title));
    const tools = el("div", "learn-tools");
    tools.hidden = talk; // there the bar of the page has its place
    const { value, hidden } = analogies;
    const names = lesson.analogies.map(({ name }) => [name, `${words.captions}: ${name}`] as [string, string]);
    analogies = pickerOf("learn-language", words.captions, names, value, compare);
    analogies.hidden = hidden;
    if (names.length > 1) tools.append(analogies);
    if (languages.length > 1) tools.append(languagePicker(words.language, { languages, language }, speak));
    tools.append(
      button("learn-button contents-button", words.chapters, contents),
      button("learn-button share-button", words.share, share),
      button("learn-button teach-button", words.teach, teach),
    );
    node.replaceChildren(where, tools);
  };

  /** @param analogy the one whose captions are shown; a page that has none has no choice of them either. */
  const press = (analogy: string, { captions }: LessonPage) => {
    analogies.value = analogy;
    analogies.hidden = !Object.values(captions).some(Boolean);
  };
  return { node, show, press };
}

/** The row under the words: where in the lesson the page is, as a slider of as many marks as it has pages, with Back and Next. */
export function learnMarks(turn: (by: number) => void, turnTo: (index: number) => void) {
  const steps = el("input", { class: "learn-steps", type: "range", min: 1 });
  const row = el("div", "learn-row", steps);
  const back = button("learn-button back", "", () => turn(-1));
  const keys = el("span", "learn-keys");
  const next = button("learn-button next", "", () => turn(1));
  const node = el("nav", "learn-marks", row, back, keys, next);
  let shown = 0;
  steps.addEventListener("input", () => {
    turnTo(Number(steps.value) - 1);
    steps.value = String(shown + 1); // where a presenter turns the pages, nothing was turned
  });

  /** @param followed whether another chapter comes after the last page. */
  const show = (words: Record<string, string>, { pages, title }: Lesson, open: number, followed: boolean) => {
    shown = open;
    setText(back, words.back);
    setText(next, words.next);
    back.disabled = open === 0;
    next.disabled = !pages[open + 1] && !followed;
    const count = pages[open].question?.choices.length ?? 0;
    setText(keys, count ? filledIn(words.answer_keys, { count }) : words.keys);
    Object.assign(steps, { max: String(pages.length), value: String(open + 1) });
    row.style.setProperty("--count", String(pages.length));
    row.style.setProperty("--passed", String(open));
    const where = `${filledIn(words.step, { number: open + 1 })}: ${textOf(pages[open].title) || words.done}`;
    place(node, { "aria-label": title });
    place(steps, { "aria-label": title, "aria-valuetext": where });
  };
  return { node, show };
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
