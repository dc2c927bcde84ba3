// The parts of a picture, declared: a drawing lists all of them with their places, and the nodes of the drawing before are used again.

import { place, setText, shape } from "../../shared/dom.ts";
import { language } from "../../shared/words.ts";

/** A part of a picture: its element, its class, its attributes and its words; `false` keeps the turn of one that is not shown now. */
export type Mark =
  | {
      tag: "circle" | "line" | "path" | "rect" | "text";
      kind: string;
      at: Record<string, number | string>;
      words?: string;
    }
  | false;

/** Give a node of a picture these parts, in this order. */
export function join(parent: Element, marks: Mark[]) {
  marks.forEach((mark, i) => {
    const before = parent.children[i] as SVGElement | undefined;
    if (!mark) {
      if (before) place(before, { visibility: "hidden" });
      else parent.append(shape("g"));
      return;
    }
    const same = before?.localName === mark.tag && before.classList[0] === mark.kind.split(" ")[0];
    const node = before && same ? before : shape(mark.tag);
    if (!before) parent.append(node);
    else if (!same) before.replaceWith(node);
    place(node, { class: mark.kind, visibility: "visible", ...mark.at });
    if (mark.words !== undefined) setText(node, mark.words);
  });
  while (parent.childElementCount > marks.length) parent.lastElementChild?.remove();
}

export function line(kind: string, x1: number, y1: number, x2: number, y2: number): Mark {
  return { tag: "line", kind, at: { x1, y1, x2, y2 } };
}

export function path(kind: string, d: string): Mark {
  return { tag: "path", kind, at: { d } };
}

export function circle(kind: string, cx: number, cy: number, r: number): Mark {
  return { tag: "circle", kind, at: { cx, cy, r } };
}

export function text(kind: string, words: string, x: number, y: number): Mark {
  return { tag: "text", kind, at: { x, y }, words };
}

/** A rectangle between two heights, whichever is the upper one. */
export function bar(kind: string, x: number, width: number, from: number, to: number, fill = ""): Mark {
  const at = { x, width: Math.max(0, width), y: Math.min(from, to), height: Math.abs(to - from) };
  return { tag: "rect", kind, at: fill ? { ...at, fill } : at };
}

/** The edges of a chart in its picture, and the size of its letters, in pixels. */
export type Edges = { left: number; right: number; upper: number; lower: number; height: number; em: number };

type Scale = (value: number) => number;

/** A number of a scale, with the decimal sign of the language and no other. */
function written(value: number) {
  return value.toLocaleString(language(), { useGrouping: false });
}

/** The marks of a scale under a chart; of those that stand nearer to another than `room`, in em, only the first is shown. */
export function ticksAcross(
  values: number[],
  x: Scale,
  { lower, em }: Pick<Edges, "lower" | "em">,
  words = written,
  room = 0,
) {
  let last = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    const at = x(value);
    if (Math.abs(at - last) < room * em) return false;
    last = at;
    return text("tick", words(value), at, lower + 1.1 * em);
  });
}

/** The marks of a scale on the left of a chart. */
export function ticksUpright(values: number[], y: Scale, { left, em }: Pick<Edges, "left" | "em">, words = written) {
  return values.map((value) => text("tick scale", words(value), left - 0.5 * em, y(value) + 0.35 * em));
}

/** Two axes with their names. */
export function axes(across: string, upright: string, { left, right, upper, lower, height, em }: Edges): Mark[] {
  return [
    path("axis frame-line", `M${left} ${upper}V${lower}H${right}`),
    text("tick axis-name", across, (left + right) / 2, height - 0.3 * em),
    text("tick upright-name", upright, 1, em),
  ];
}
