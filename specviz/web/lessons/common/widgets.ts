// The controls of the explorables: a bar or needle that is a slider, a row of choices, a labelled slider, a button.

import { el, place, setText } from "../../shared/dom.ts";

type Range = { min: number; max: number; step: number };

/** The keys of a slider: the page or lesson around it uses some of them, too. */
const KEYS = /^(Arrow|Page|Home$|End$)/;

/** The nearest value that a slider can have. */
export function onGrid(value: number, { min, max, step }: Range) {
  const steps = Math.round((Math.min(max, Math.max(min, value)) - min) / step);
  return Number(Math.min(max, min + steps * step).toFixed(6));
}

/** What dragging it does: `valueAt` is the value at a point of the screen; `begin` and `end` enclose a gesture. */
type DragActions = {
  valueAt: (event: PointerEvent) => number;
  change: (value: number) => void;
  begin?: () => void;
  end?: () => void;
};

/** A part of a picture that can be dragged, and moved by keys: a slider with a name and a value. */
export class Handle {
  node: SVGElement;
  range: Range;
  how: DragActions;
  value: number;

  constructor(node: SVGElement, range: Range, how: DragActions) {
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

  show(name: string, value: number, words: string) {
    this.value = value;
    place(this.node, {
      "aria-label": name,
      "aria-valuenow": String(Number(value.toFixed(4))),
      "aria-valuetext": words,
    });
  }

  onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { value, range } = this;
    const { min, max, step } = range;
    const page = (max - min) / 10;
    const by = new Map([
      ["ArrowUp", step],
      ["ArrowRight", step],
      ["ArrowDown", -step],
      ["ArrowLeft", -step],
      ["PageUp", page],
      ["PageDown", -page],
      ["Home", min - value],
      ["End", max - value],
    ]).get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.how.begin?.();
    this.how.change(onGrid(value + by, range));
    this.how.end?.();
  }

  grip(event: PointerEvent) {
    if (event.button) return;
    event.preventDefault();
    this.node.focus({ preventScroll: true });
    this.node.setPointerCapture(event.pointerId);
    this.how.begin?.();
    const move = (moved: PointerEvent) => this.how.change(onGrid(this.how.valueAt(moved), this.range));
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

/** One of several, as radio buttons. */
export class Choices<Name extends string> {
  choose: (name: Name) => void;
  node: HTMLDivElement;
  rows: Map<Name, { input: HTMLInputElement; mark: HTMLElement; text: HTMLElement; node: HTMLElement }> = new Map();
  group = `choices-${++groups}`;

  constructor(kind: string, label: string, choose: (name: Name) => void) {
    this.node = el("div", { class: `choices ${kind}`, role: "radiogroup", "aria-label": label });
    this.choose = choose;
  }

  offer(names: Name[]) {
    this.rows.clear();
    for (const name of names) {
      const input = el("input", { type: "radio", name: this.group });
      input.addEventListener("change", () => this.choose(name));
      input.addEventListener("keydown", (event) => {
        if (KEYS.test(event.key)) event.stopPropagation();
      });
      const [mark, text] = [el("span", "choice-mark"), el("span", "choice-text")];
      this.rows.set(name, { input, mark, text, node: el("label", "choice", input, mark, text) });
    }
    this.node.replaceChildren(...[...this.rows.values()].map((row) => row.node));
  }

  show(
    name: Name,
    { text, mark = "", state = "", chosen }: { text: string; mark?: string; state?: string; chosen: boolean },
  ) {
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
  range: Range = { min: 0, max: 1, step: 1 };
  node: HTMLLabelElement;
  input = el("input", { type: "range" });
  name = el("span", "dragger-name");
  output = el("output", "dragger-value");

  constructor(name: string, range: Range, change: (value: number) => void) {
    this.offer(name, range);
    this.input.addEventListener("input", () => change(this.input.valueAsNumber));
    this.input.addEventListener("keydown", (event) => {
      if (KEYS.test(event.key)) event.stopPropagation();
    });
    this.node = el("label", "dragger", this.name, this.input, this.output);
  }

  /** Under another name, or over another range; it keeps the focus if it has it. */
  offer(name: string, range: Range) {
    this.range = range;
    setText(this.name, name);
    for (const key of ["min", "max", "step"] as const) this.input[key] = String(range[key]);
  }

  show(value: number, words: string) {
    if (this.input.valueAsNumber !== value) this.input.value = String(value);
    const { min, max } = this.range;
    this.input.style.setProperty("--done", `${(100 * (value - min)) / (max - min)}%`);
    this.input.setAttribute("aria-valuetext", words);
    setText(this.output, words);
  }
}

/** What a colour means, with its mark and its word. */
export function legendOf(entries: [state: string, mark: string, words: string][]) {
  const keys = entries.map(([state, mark, words]) => {
    const sign = el("span", { class: "key-mark", "aria-hidden": "true" }, mark);
    return el("span", `key-of ${state}`, sign, ` ${words}`);
  });
  return el("div", "keys-of-picture", ...keys);
}
