// What the measured pictures share: sentences with figures that say how they were measured, a table for those who hear the page, empty
// axes, and a slider whose range follows the measurement.

/** @import { WordPart } from "../types" */
/** @import { Range } from "./slider_keys.js" */
/** @import { Dragger } from "./widgets.js" */

import { el, setText } from "../../shared/dom.js";
import { place, shape } from "./drawing.js";

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
  node.title = how;
  return node;
}

/** A table that is heard and not seen. */
export class UnseenTable {
  constructor() {
    this.node = el("div", "unseen");
  }

  /**
   * @param {string} caption
   * @param {string[]} head
   * @param {string[][]} rows
   */
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

  empty() {
    this.node.replaceChildren();
  }
}

/**
 * @param {"th" | "td"} tag
 * @param {string[]} cells
 */
function rowOf(tag, cells) {
  const row = el("tr");
  row.append(...cells.map((cell) => el(tag, "", cell)));
  return row;
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

/** Parts of a picture that say something to those who point at them. */
export class Hinted {
  /** @param {SVGElement[]} parts */
  constructor(...parts) {
    this.node = shape("g", "hinted");
    this.hint = shape("title");
    this.node.append(this.hint, ...parts);
  }

  /** @param {string} words */
  say(words) {
    setText(this.hint, words);
  }
}

/** The two axes of a picture with their names, and in an empty one that nothing was measured. */
export class Axes {
  /**
   * @param {string} across
   * @param {string} upright
   */
  constructor(across, upright) {
    this.node = shape("g");
    this.lines = shape("path", "axis frame-line");
    this.across = shape("text", "tick axis-name", across);
    this.upright = shape("text", "tick upright-name", upright);
    this.nothing = shape("text", "nothing-yet");
    this.node.append(this.lines, this.across, this.upright, this.nothing);
  }

  /**
   * @param {{ left: number, right: number, upper: number, lower: number, height: number, em: number }} edges
   * @param {string} nothing what an empty picture says; empty where something is drawn.
   */
  draw({ left, right, upper, lower, height, em }, nothing) {
    place(this.lines, { d: `M${left} ${upper}V${lower}H${right}` });
    place(this.across, { x: (left + right) / 2, y: height - 0.3 * em });
    place(this.upright, { x: 1, y: 1 * em });
    place(this.nothing, { x: (left + right) / 2, y: (upper + lower) / 2 });
    setText(this.nothing, nothing);
  }
}

/**
 * Marks of a scale, of which only those are shown that have room.
 * @param {SVGElement[]} marks
 * @param {number[]} at where each lies, from the first to the last.
 * @param {number} room between two of them.
 */
export function thinned(marks, at, room) {
  let last = Number.NEGATIVE_INFINITY;
  marks.forEach((mark, i) => {
    const shown = Math.abs(at[i] - last) >= room;
    if (shown) last = at[i];
    place(mark, { visibility: shown ? "visible" : "hidden" });
  });
}

/**
 * Show or hide a group of parts, also those that are shown or hidden by themselves.
 * @param {SVGElement} group
 * @param {boolean} on
 */
export function showGroup(group, on) {
  place(group, { display: on ? "inline" : "none" });
}
