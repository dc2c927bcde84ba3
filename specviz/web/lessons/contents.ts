// The list of chapters and the glossary: what is shown where the address names no lesson.

import { button, el, linkTo } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import { languagePicker } from "./learn_bar.ts";
import type { Chapter, LearnAddress, LearnData } from "./lesson_types.ts";
import { GLOSSARY_NAME } from "./page_turning.ts";
import { chaptersDone } from "./reader_memory.ts";

/**
 * @param acts `open` is called with a lesson's name,
 *   with "glossary", or with "" for the list of chapters; `teach` begins to teach; `speak` shows the same in another language.
 */
export function contentsOf(
  data: LearnData,
  { open, teach, speak }: { open: (name: string) => void; teach: () => void; speak: (language: string) => void },
  address: LearnAddress,
) {
  const { words, glossary, chapters, problems } = data;
  const languages = data.languages.length > 1 ? [languagePicker(words.language, data, speak)] : [];
  const done = chaptersDone();

  /** A link to a page of Learn that opens without loading everything again. */
  const linkInside = (name: string, ...inside: (Node | string)[]) => {
    const link = linkTo(address.link(name), "learn-link", ...inside);
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(name);
    });
    return link;
  };
  const head = (title: string, says: string, ...besides: HTMLElement[]) => [
    el("div", "contents-head", el("h1", "learn-title", title), el("div", "learn-besides", ...besides)),
    el("p", "learn-welcome", says),
  ];
  const lineOf = ({ name, number, title, minutes, language, direction }: Chapter) => {
    const state = done.has(name)
      ? el("span", { class: "chapter-done", role: "img", "aria-label": words.finished }, "✓")
      : el("span", "chapter-minutes", filledIn(words.minutes, { minutes }));
    const names = [el("span", "chapter-number", String(number)), el("span", "chapter-title", title)];
    const link = linkInside(name, ...names, state);
    link.classList.add("chapter");
    return el("li", "", Object.assign(link, { lang: language, dir: direction }));
  };

  if (data.glossary_open) {
    const entries = glossary.map(({ term, says }) => el("div", "", el("dt", "", term), el("dd", "", says)));
    const back = [linkInside("", words.chapters), ...languages];
    const list = el("dl", { class: "glossary", lang: data.glossary_language }, ...entries);
    return el("div", "contents", ...head(words.glossary, words.glossary_says, ...back), list);
  }
  const besides: HTMLElement[] = [linkInside(GLOSSARY_NAME, words.glossary)];
  if (data.handout) besides.push(handoutLink(data.handout, words.handout));
  if (!data.talk) besides.push(button("learn-button teach-button", words.teach, teach), ...languages);
  const course = chapters.filter(({ more }) => !more).map(lineOf);
  const more = chapters.filter(({ more }) => more).map(lineOf);
  const node = el(
    "div",
    "contents",
    ...head(words.chapters, words.welcome, ...besides),
    el("ol", "chapters", ...course),
  );
  if (more.length) node.append(el("h2", "learn-more", words.more), el("ol", "chapters", ...more));
  const wrong = problems.map((sentence) => el("li", "", sentence));
  if (wrong.length) node.append(el("p", "learn-faint", words.left_out), el("ul", "learn-wrong", ...wrong));
  return node;
}

/** The handout as the browser keeps it, so that a page that is shown again does not store it twice. */
const handoutKept = { page: "", address: "" };

/** @param page its text, or where it is. */
function handoutLink(page: string, text: string) {
  if (page.startsWith("<") && handoutKept.page !== page) {
    URL.revokeObjectURL(handoutKept.address);
    handoutKept.page = page;
    handoutKept.address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  }
  const href = page.startsWith("<") ? handoutKept.address : page;
  return el("a", { class: "learn-link", href, target: "_blank" }, text);
}
