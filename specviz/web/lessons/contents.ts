// The list of chapters and the glossary: what is shown where the address names no lesson.

import { button, el, linkTo } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import { languagePicker } from "./learn_bar.ts";
import type { LearnAddress, LearnData } from "./lesson_types.ts";
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
  const { words } = data;
  const node = el("div", "contents");
  if (data.glossary_open) {
    const back = [openingLink("", words.chapters, open, address), ...languagesOf(data, speak)];
    node.append(contentsHead(words.glossary, back), el("p", "learn-welcome", words.glossary_says), glossaryOf(data));
    return node;
  }
  const [course, more] = [el("ol", "chapters"), el("ol", "chapters")];
  const done = chaptersDone();
  for (const { name, number, title, minutes, language, direction, more: apart } of data.chapters) {
    const link = openingLink(name, "", open, address);
    link.classList.add("chapter");
    Object.assign(link, { lang: language, dir: direction });
    link.append(
      el("span", "chapter-number", String(number)),
      el("span", "chapter-title", title),
      done.has(name) ? doneMark(words.finished) : el("span", "chapter-minutes", filledIn(words.minutes, { minutes })),
    );
    (apart ? more : course).append(el("li", "", link));
  }
  const besides: HTMLElement[] = [openingLink(GLOSSARY_NAME, words.glossary, open, address)];
  if (data.handout) besides.push(handoutLink(data.handout, words.handout));
  if (!data.talk) besides.push(button("learn-button teach-button", words.teach, teach), ...languagesOf(data, speak));
  node.append(contentsHead(words.chapters, besides), el("p", "learn-welcome", words.welcome), course);
  if (more.childElementCount) node.append(el("h2", "learn-more", words.more), more);
  if (data.problems.length) {
    const wrong = el("ul", "learn-wrong", ...data.problems.map((sentence) => el("li", "", sentence)));
    node.append(el("p", "learn-faint", words.left_out), wrong);
  }
  return node;
}

/** All terms of the glossary as a list. */
function glossaryOf({ glossary, glossary_language }: LearnData) {
  const entries = glossary.map(({ term, says }) => el("div", "", el("dt", "", term), el("dd", "", says)));
  return el("dl", { class: "glossary", lang: glossary_language }, ...entries);
}

function languagesOf(data: LearnData, speak: (language: string) => void) {
  return data.languages.length > 1 ? [languagePicker(data, speak)] : [];
}

/** The tick of a chapter that was seen to its end. */
function doneMark(words: string) {
  return el("span", { class: "chapter-done", role: "img", "aria-label": words }, "✓");
}

/** A title, and what else there is beside it. */
function contentsHead(title: string, besides: HTMLElement[]) {
  const links = el("div", "learn-besides", ...besides);
  return el("div", "contents-head", el("h1", "learn-title", title), links);
}

/** A link to a page of Learn that opens without loading everything again. */
function openingLink(name: string, text: string, open: (name: string) => void, address: LearnAddress) {
  const link = linkTo(address.link(name), "learn-link", text);
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open(name);
  });
  return link;
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
