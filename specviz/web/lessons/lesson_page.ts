// The words of one page of a lesson: its sentences, the caption of the chosen analogy, a question with its answers, the way on.

import { button, el } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import type { Chapter, LessonPage, Question, Term } from "./lesson_types.ts";
import { gloss, TermFinder } from "./terms.ts";
import { nodesOf } from "./trusted_html.ts";

/** What a page needs to know besides itself. `still`: nothing can be answered here, since the presenter of a room does. */
type LessonPageContext = {
  words: Record<string, string>;
  language: string;
  intro: string;
  analogy: string;
  chosen: number | null;
  after: Chapter | null;
  glossary: Term[];
  answer: (index: number) => void;
  tryIt: () => void;
  goOn: () => void;
  still?: boolean;
};

export function lessonPageOf(page: LessonPage, given: LessonPageContext) {
  const { words, intro, analogy } = given;
  const node = el("article", `leaf ${page.kind}`);
  if (intro) node.append(wrapped("div", "leaf-intro", intro));
  if (page.kind === "end") {
    node.append(...wayOn(page.html, given));
    return node;
  }
  if (page.kind === "question") node.append(el("p", "learn-faint", words.question));
  if (page.title) node.append(wrapped("h2", "leaf-title", page.title));
  if (page.html) node.append(wrapped("div", "leaf-text", page.html));
  if (page.captions[analogy]) node.append(wrapped("p", "leaf-analogy", page.captions[analogy]));
  if (page.question) node.append(...asked(page.question, page.kind === "step", given));
  gloss(readingOrder(node), new TermFinder(given.glossary));
  return node;
}

/** What is read as sentences, in the order of reading; a title of a step is none, but a question is. */
function readingOrder(node: HTMLElement) {
  return node.querySelectorAll(
    ".leaf-intro, .leaf-text, .leaf-analogy, .leaf-asks, .because, .leaf.question > .leaf-title",
  );
}

/** @param inside it is part of a step */
function asked(
  { html, choices, because }: Question,
  inside: boolean,
  { words, chosen, answer, still }: LessonPageContext,
) {
  const list = el("div", "choices");
  choices.forEach((choice, index) => {
    const right = chosen !== null && choice.right ? " right" : "";
    const state = { class: `lesson-choice${right || (chosen === index ? " wrong" : "")}`, disabled: Boolean(still) };
    const node = button({ ...state, "aria-pressed": String(chosen === index) }, "", () => answer(index));
    const number = el("span", { class: "choice-number", "aria-hidden": "true" }, String(index + 1));
    node.append(number, wrapped("span", "choice-text", choice.html));
    list.append(node);
  });
  const outcome = el("div", { class: "outcome", role: "status" });
  if (chosen !== null) {
    const right = choices[chosen].right;
    outcome.append(
      el("p", `verdict ${right ? "right" : "wrong"}`, `${right ? "✓" : "✗"} ${right ? words.right : words.wrong}`),
      wrapped("div", "because", because),
    );
  }
  return [...(inside ? [wrapped("h3", "leaf-asks", html)] : []), list, outcome];
}

/** The chapter's sentence, and what comes next: the main button is the next chapter, after the last one a prompt of one's own. */
function wayOn(sentence: string, { words, language, after, tryIt, goOn }: LessonPageContext) {
  const own = button(`learn-button try-it ${after ? "" : "main"}`, words.try, tryIt);
  return [
    el("p", "leaf-done", `✓ ${words.finished}`),
    sentence ? wrapped("h2", "leaf-title", sentence) : el("h2", "leaf-title", words.done),
    ...(after ? [onward(words, language, after, goOn), own] : [own]),
  ];
}

/** The button to the next chapter, which says so where that one is in another language. */
function onward(words: Record<string, string>, language: string, after: Chapter, goOn: () => void) {
  const node = button("learn-button go-on main", "", goOn);
  const same = after.language === language;
  const spoken = same ? "" : new Intl.DisplayNames([language], { type: "language" }).of(after.language);
  const sentence = same ? words.next_chapter : filledIn(words.next_chapter_in, { language: spoken ?? after.language });
  const title = el("span", { lang: after.language }, after.title);
  const [before, rest = ""] = sentence.split("{title}");
  node.append(before, title, rest);
  return node;
}

function wrapped<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, html: string) {
  const node = el(tag, className);
  node.append(nodesOf(html));
  return node;
}
