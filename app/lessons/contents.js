// The list of chapters: what is shown where the address names no lesson.

/** @import { LearnData } from "./types" */

import { el } from "../player/dom.js";
import { filledIn } from "./turning.js";

/**
 * @param {LearnData} data
 * @param {(name: string) => void} open
 */
export function contentsOf(data, open) {
  const node = el("div", "contents");
  const list = el("ol", "chapters");
  for (const { name, number, title, minutes, language, direction } of data.chapters) {
    const link = el("a", "chapter");
    link.href = `?lesson=${encodeURIComponent(name)}&step=1`;
    link.append(
      el("span", "chapter-number", String(number)),
      el("span", "chapter-title", title),
      el("span", "chapter-minutes", filledIn(data.words.minutes, { minutes })),
    );
    link.lang = language;
    link.dir = direction;
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(name);
    });
    const item = el("li");
    item.append(link);
    list.append(item);
  }
  node.append(el("h1", "learn-title", data.words.chapters), el("p", "learn-welcome", data.words.welcome), list);
  if (data.problems.length) {
    const wrong = el("ul", "learn-wrong");
    wrong.append(...data.problems.map((sentence) => el("li", "", sentence)));
    node.append(el("p", "learn-faint", data.words.left_out), wrong);
  }
  return node;
}
