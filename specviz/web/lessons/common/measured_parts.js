// What the measured pictures share: sentences with figures that say how they were measured, a table for those who hear the page, and
// a slider whose range follows the figures.

/** @import { WordPart } from "../types" */
/** @import { Range } from "./slider_keys.js" */
/** @import { Dragger } from "./widgets.js" */

import { el, setText } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";

/** A sentence whose figures say how they were measured. */
export class Sentence {
  /** @param {string} className */
  constructor(className) {
    this.node = el("p", className);
    this.said = "";
  }

  /** @param {WordPart[]} parts */
  say(parts) {
    const now = JSON.stringify(parts);
    if (this.said === now) return;
    this.said = now;
    this.node.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : figureOf(part))));
    this.node.hidden = !parts.length;
  }
}

/** @param {{ text: string, how: string }} part */
function figureOf({ text, how }) {
  const node = el("b", "measured-figure", text);
  explain(node, how);
  return node;
}

/** A table that is heard and not seen. */
export class UnseenTable {
  constructor() {
    this.node = el("div", "unseen");
  }

  /** @param {string} caption @param {string[]} head @param {string[][]} rows */
  fill(caption, head, rows) {
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

/** @param {"th" | "td"} tag @param {string[]} cells */
function rowOf(tag, cells) {
  return el("tr", "", ...cells.map((cell) => el(tag, "", cell)));
}

/**
 * Give a slider another range; it keeps the focus if it has it.
 * @param {Dragger} dragger
 * @param {Range} range
 */
export function stretch(dragger, range) {
  Object.assign(dragger.range, range);
  for (const key of /** @type {const} */ (["min", "max", "step"])) dragger.input[key] = String(range[key]);
}
