// The predicted speedup over the draft length, as a small curve over the slider: this run as a dot, where `auto` would draft as a star.

/** @import { Curve } from "../shared/types" */

import { place, setText, shape } from "../shared/dom.js";
import { number } from "../shared/labels.js";
import { LONGEST_K } from "./predicted_speed.js";

/** The picture's own measures; the slider under it has its ends at the same places. */
const [WIDTH, HEIGHT, LEFT, RIGHT, UPPER, LOWER] = [340, 84, 34, 332, 24, 76];

/** Speedups that differ by less than this do not fill the picture. */
const LEAST_SPAN = 0.25;

export class KCurve {
  constructor() {
    this.node = shape("svg", "k-curve");
    place(this.node, { role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
    this.even = shape("line", "k-even");
    this.evenWords = shape("text", "k-tick", "1×");
    this.topWords = shape("text", "k-tick");
    this.line = shape("path", "k-line");
    this.auto = shape("text", "k-auto", "★");
    this.run = shape("circle", "k-run");
    this.chosen = shape("circle", "k-chosen");
    this.node.append(this.even, this.evenWords, this.topWords, this.line, this.auto, this.run, this.chosen);
  }

  /**
   * @param {Curve} curve one with predictions.
   * @param {number} k the draft length that is pointed at.
   */
  draw({ speeds, own, auto, words }, k) {
    const best = Math.max(...speeds, own.speedup);
    const least = Math.min(...speeds, own.speedup);
    const span = Math.max(best - least, LEAST_SPAN);
    /** @param {number} length */
    const x = (length) => LEFT + (length / LONGEST_K) * (RIGHT - LEFT);
    /** @param {number} speed */
    const y = (speed) => LOWER - ((speed - least) / span) * (LOWER - UPPER);
    place(this.even, { x1: LEFT, x2: RIGHT, y1: y(1), y2: y(1) });
    place(this.evenWords, { x: LEFT - 5, y: y(1) + 4 });
    place(this.topWords, { x: LEFT - 5, y: Math.min(y(best) + 4, y(1) - 10) });
    setText(this.topWords, best > 1 ? `${number(best)}×` : "");
    place(this.line, { d: speeds.map((speed, at) => `${at ? "L" : "M"}${x(at)} ${y(speed)}`).join("") });
    place(this.auto, { x: x(auto), y: y(speeds[auto]) - 9 });
    place(this.run, { cx: x(own.k), cy: y(own.speedup), r: 5 });
    const known = k < speeds.length;
    place(this.chosen, { cx: x(k), cy: y(known ? speeds[k] : 1), r: 8, visibility: known ? "visible" : "hidden" });
    place(this.node, { "aria-label": words });
  }
}
