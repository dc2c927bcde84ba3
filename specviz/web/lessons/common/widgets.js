// The controls of the explorables: a bar or needle that is a slider, a row of choices, a labelled slider, a button.

/** @import { Range } from "./slider_keys.js" */

import { el, place, setText } from "../../shared/dom.js";
import { onGrid, steered } from "./slider_keys.js";

/** A part of a picture that can be dragged, and moved by keys: a slider with a name and a value. */
export class Handle {
  /**
   * @param {SVGElement} node
   * @param {Range} range
   * @param {{ valueAt: (event: PointerEvent) => number, change: (value: number) => void, begin?: () => void, end?: () => void }} how
   *   `valueAt` is the value at a point of the screen; `begin` and `end` enclose a gesture.
   */
  constructor(node, range, how) {
    this.node = node;
    this.range = range;
    this.how = how;
    this.value = range.min;
    place(node, {
      role: "slider",
      tabindex: "0",
      "aria-valuemin": String(range.min),
      "aria-valuemax": String(range.max),
    });
    node.classList.add("handle");
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("pointerdown", (event) => this.grip(event));
    // A finger on a handle drags it: `touch-action` alone does not keep a page from scrolling under a part of a picture.
    node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  }

  /** @param {string} name @param {number} value @param {string} words */
  show(name, value, words) {
    this.value = value;
    place(this.node, {
      "aria-label": name,
      "aria-valuenow": String(Number(value.toFixed(4))),
      "aria-valuetext": words,
    });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const value = steered(event.key, this.value, this.range);
    if (value === null) return;
    event.preventDefault();
    event.stopPropagation(); // the lesson around it steps with the same keys
    this.how.begin?.();
    this.how.change(value);
    this.how.end?.();
  }

  /** @param {PointerEvent} event */
  grip(event) {
    if (event.button) return;
    event.preventDefault();
    this.node.focus({ preventScroll: true });
    this.node.setPointerCapture(event.pointerId);
    this.how.begin?.();
    /** @type {(moved: PointerEvent) => void} */
    const move = (moved) => this.how.change(onGrid(this.how.valueAt(moved), this.range));
    const drop = () => {
      this.node.removeEventListener("pointermove", move);
      this.how.end?.();
    };
    this.node.addEventListener("pointermove", move);
    this.node.addEventListener("lostpointercapture", drop, { once: true });
  }
}

/** Numbers the groups: radio buttons of one name exclude each other. */
let groups = 0;

/**
 * One of several, as radio buttons.
 * @template {string} Name
 */
export class Choices {
  /** @param {string} label @param {(name: Name) => void} choose */
  constructor(label, choose) {
    this.node = el("div", "choices");
    place(this.node, { role: "radiogroup", "aria-label": label });
    this.choose = choose;
    /** @type {Map<Name, { input: HTMLInputElement, mark: HTMLElement, text: HTMLElement, node: HTMLElement }>} */
    this.rows = new Map();
    groups += 1;
    this.group = `choices-${groups}`;
  }

  /** @param {Name[]} names */
  offer(names) {
    this.rows.clear();
    for (const name of names) {
      const input = el("input");
      input.type = "radio";
      input.name = this.group;
      input.addEventListener("change", () => this.choose(name));
      input.addEventListener("keydown", (event) => {
        if (event.key.startsWith("Arrow")) event.stopPropagation(); // as with the sliders
      });
      const row = {
        input,
        mark: el("span", "choice-mark"),
        text: el("span", "choice-text"),
        node: el("label", "choice"),
      };
      row.node.append(input, row.mark, row.text);
      this.rows.set(name, row);
    }
    this.node.replaceChildren(...[...this.rows.values()].map((row) => row.node));
  }

  /** @param {Name} name @param {{ text: string, mark?: string, state?: string, chosen: boolean }} look */
  show(name, { text, mark = "", state = "", chosen }) {
    const row = this.rows.get(name);
    if (!row) return;
    setText(row.text, text);
    setText(row.mark, mark);
    row.node.dataset.state = state;
    row.input.checked = chosen;
  }
}

/** A slider of the browser's own with its name and its value beside it. */
export class Dragger {
  /** @param {string} name @param {Range} range @param {(value: number) => void} change */
  constructor(name, range, change) {
    this.range = range;
    this.input = el("input");
    this.input.type = "range";
    for (const key of /** @type {const} */ (["min", "max", "step"])) this.input[key] = String(range[key]);
    this.output = el("output", "dragger-value");
    this.input.addEventListener("input", () => change(this.input.valueAsNumber));
    this.input.addEventListener("keydown", (event) => {
      if (steered(event.key, 0, range) !== null) event.stopPropagation(); // as with the sliders of the pictures
    });
    this.node = el("label", "dragger", el("span", "dragger-name", name), this.input, this.output);
  }

  /** @param {number} value @param {string} words */
  show(value, words) {
    if (this.input.valueAsNumber !== value) this.input.value = String(value);
    const { min, max } = this.range;
    this.input.style.setProperty("--done", `${(100 * (value - min)) / (max - min)}%`);
    this.input.setAttribute("aria-valuetext", words);
    setText(this.output, words);
  }
}

/** What a colour means, with its mark and its word. @param {[state: string, mark: string, words: string][]} entries */
export function legendOf(entries) {
  const node = el("div", "keys-of-picture");
  for (const [state, mark, words] of entries) {
    const sign = el("span", { class: "key-mark", "aria-hidden": "true" }, mark);
    const entry = el("span", `key-of ${state}`, sign, ` ${words}`);
    node.append(entry);
  }
  return node;
}
