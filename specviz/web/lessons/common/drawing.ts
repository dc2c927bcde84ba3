// Pictures whose units are CSS pixels, so that their letters are as large as those of the page around them.

/*! d3-scale, d3-shape and what they need of d3 (ISC). Copyright 2010-2026 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
*/

import { area, line } from "d3-shape";
import { el, place, shape } from "../../shared/dom.ts";
import { fixed } from "../../shared/words.ts";
import { join, type Mark } from "./marks.ts";

/** A line through points in CSS pixels, to a tenth of one, as the `d` of a path. */
export function lineThrough(points: [x: number, y: number][]) {
  return line().digits(1)(points) ?? "";
}

/** The area between a line through points and another one, of which the height at each point is given. */
export function areaBetween(points: [x: number, y: number][], heights: number[]) {
  const between = area().y0((_, i) => heights[i]);
  return between.digits(1)(points) ?? "";
}

/** Numbers the hatchings: an id is unique in its document or shadow root. */
let hatchings = 0;

/** In pixels; `em` is the size of its letters. */
export type PictureSize = { width: number; height: number; em: number };

/** A picture of a view that is drawn again whenever its size changes. */
export abstract class Picture<View> {
  node: HTMLDivElement;
  parts = shape("g");
  svg = shape("svg", "", this.parts);
  size: PictureSize = { width: 0, height: 0, em: 16 };
  view: View | null = null;

  constructor(className: string) {
    this.node = el("div", `picture ${className}`, this.svg);
    new ResizeObserver(() => this.measure()).observe(this.node);
  }

  /** Its parts, in their order. */
  abstract draw(view: View, size: PictureSize): Mark[];

  /** The edges of a chart, given by what is left free on each side, in em. */
  edges(left: number, right: number, upper: number, lower: number) {
    const { width, height, em } = this.size;
    return { left: left * em, right: width - right * em, upper: upper * em, lower: height - lower * em, height, em };
  }

  /** Draw a view, and say what it shows to those who do not see it. */
  present(view: View, name: string) {
    place(this.svg, { role: "img", "aria-label": name });
    this.redraw(view);
  }

  measure() {
    const { clientWidth: width, clientHeight: height } = this.node;
    this.size = { width, height, em: Number.parseFloat(getComputedStyle(this.node).fontSize) };
    place(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    this.redraw(this.view);
  }

  /** Draw with the size that is known; nothing before there is one. */
  redraw(view: View | null) {
    this.view = view;
    if (view && this.size.width && this.size.height) join(this.parts, this.draw(view, this.size));
  }

  /** A hatching of this picture in the colour of a class; returns the value of `fill`. */
  hatching(className: string) {
    hatchings += 1;
    const [id, size] = [`hatching-${hatchings}`, { width: 6, height: 6 }];
    const turned = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const ground = shape("rect", { class: "hatch-ground", ...size });
    const line = shape("rect", { class: "hatch-line", width: className === "rejected" ? 2 : 1, height: 6 });
    this.svg.append(shape("pattern", { class: className, id, ...size, ...turned }, ground, line));
    return `url(#hatching-${hatchings})`;
  }
}

/** A share as a number that fits its room: 0.40, then .40. `room`: in em. */
export function fitted(value: number, room: number) {
  const text = fixed(value, 2);
  return room < 2.3 && value < 0.995 ? text.slice(1) : text;
}

/** A text cut to so many characters. */
export function clipped(text: string, room: number) {
  const letters = [...text];
  return letters.length > room ? `${letters.slice(0, Math.max(1, room - 1)).join("")}…` : text;
}
