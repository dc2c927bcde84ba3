// The axes of a picture: their lines and names, and the marks of a scale.

import { place, setText, shape } from "../../shared/dom.ts";

type Edges = { left: number; right: number; upper: number; lower: number; height: number; em: number };

/** The marks of a scale under a picture or on its left, of which only those are shown that have room. */
export class Ticks {
  way: "across" | "upright";
  node = shape("g");
  values: number[] = [];

  constructor(way: "across" | "upright") {
    this.way = way;
  }

  /** @param values from the first to the last. */
  name(values: number[], words: (value: number) => string = String) {
    this.values = values;
    const kind = this.way === "across" ? "tick" : "tick scale";
    if (this.node.childElementCount !== values.length)
      this.node.replaceChildren(...values.map(() => shape("text", kind)));
    values.forEach((value, i) => void setText(this.node.children[i], words(value)));
  }

  /** @param room between two marks, in em. */
  draw(scale: (value: number) => number, { left, lower, em }: Pick<Edges, "left" | "lower" | "em">, room = 0) {
    let last = Number.NEGATIVE_INFINITY;
    this.values.forEach((value, i) => {
      const at = scale(value);
      const shown = Math.abs(at - last) >= room * em;
      if (shown) last = at;
      const where = this.way === "across" ? { x: at, y: lower + 1.1 * em } : { x: left - 0.5 * em, y: at + 0.35 * em };
      place(this.node.children[i], { ...where, visibility: shown ? "visible" : "hidden" });
    });
  }
}

/** Two axes with their names and marks. */
export class Axes {
  across: SVGTextElement;
  upright: SVGTextElement;
  lines = shape("path", "axis frame-line");
  ticks: { x: Ticks; y: Ticks } = { x: new Ticks("across"), y: new Ticks("upright") };
  node = shape("g");

  constructor(across: string, upright: string) {
    this.across = shape("text", "tick axis-name", across);
    this.upright = shape("text", "tick upright-name", upright);
    this.node.append(this.lines, this.across, this.upright, this.ticks.x.node, this.ticks.y.node);
  }

  draw({ left, right, upper, lower, height, em }: Edges) {
    place(this.lines, { d: `M${left} ${upper}V${lower}H${right}` });
    place(this.across, { x: (left + right) / 2, y: height - 0.3 * em });
    place(this.upright, { x: 1, y: 1 * em });
  }
}
