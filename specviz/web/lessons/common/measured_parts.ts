// What the measured pictures share: sentences with figures that say how they were measured, a table for those who hear the page, and
// a slider whose range follows the figures.

import { el, isNew, setText } from "../../shared/dom.ts";
import { explain } from "../../shared/notes.ts";
import type { WordPart } from "../lesson_types.ts";
import type { Range } from "./slider_keys.ts";
import type { Dragger } from "./widgets.ts";

/** A sentence whose figures say how they were measured. */
export class Sentence {
  node: HTMLParagraphElement;

  constructor(className: string) {
    this.node = el("p", className);
  }

  say(parts: WordPart[]) {
    if (!isNew(this, JSON.stringify(parts))) return;
    this.node.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : figureOf(part))));
    this.node.hidden = !parts.length;
  }
}

/** The sentence without what its figures say. */
export function textOf(parts: WordPart[]) {
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

function figureOf({ text, how }: { text: string; how: string }) {
  const node = el("b", "measured-figure", text);
  explain(node, how);
  return node;
}

/** A table that is heard and not seen. */
export class UnseenTable {
  node = el("div", "unseen");

  fill(caption: string, head: string[], rows: string[][]) {
    const cells = [...this.node.querySelectorAll("td")];
    const words = rows.flat();
    if (words.length && cells.length === words.length) {
      cells.forEach((cell, i) => void setText(cell, words[i]));
      return;
    }
    const table = el("table");
    table.append(el("caption", "", caption), rowOf("th", head), ...rows.map((row) => rowOf("td", row)));
    this.node.replaceChildren(table);
  }
}

function rowOf(tag: "th" | "td", cells: string[]) {
  return el("tr", "", ...cells.map((cell) => el(tag, "", cell)));
}

/** Give a slider another range; it keeps the focus if it has it. */
export function stretch(dragger: Dragger, range: Range) {
  Object.assign(dragger.range, range);
  for (const key of ["min", "max", "step"] as const) dragger.input[key] = String(range[key]);
}
