// The expected speedup at every draft length, with recorded runs on it. Below 1 it is slower than plain decoding, and drawn so.

import { scaleLinear } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { Ticks } from "../common/axes.ts";
import { lineThrough, Picture, type PictureSize, placeBar, showPart } from "../common/drawing.ts";
import { bestLength, expectedSpeedup, LONGEST } from "../common/theory.ts";
import type { Letters, RunDot } from "../lesson_types.ts";

const LENGTHS = Array.from({ length: LONGEST + 1 }, (_, k) => k);

/** What stands for a recorded run. */
export const RUN_MARK = "●";

type CurveView = { letters: Letters; dots: RunDot[]; lit: number };

export class LengthCurve {
  picture = new Picture("length-curve", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  slow = shape("rect", "slow-region");
  slowWords = shape("text", "slow-words", word("slower than plain"));
  even = shape("line", "even-line");
  line = shape("path", "speed-line");
  points = LENGTHS.map(() => shape("text", "speed-point"));
  here = shape("circle", "speed-here");
  star = shape("text", "speed-star", "★");
  label = shape("text", "speed-label");
  dots = shape("g");
  dotLabel = shape("text", "dot-label");
  ticks = new Ticks("across");
  axisName = shape("text", "tick axis-name", word("draft length k"));
  scale = new Ticks("upright");
  shown: CurveView | null = null;

  constructor(choose: (k: number) => void) {
    place(this.slow, { fill: this.picture.hatching("rejected") });
    const { svg } = this.picture;
    svg.append(this.slow, this.even, this.slowWords, this.ticks.node, this.axisName, this.scale.node);
    svg.append(this.line, this.here);
    svg.append(...this.points, this.star, this.dots, this.label, this.dotLabel);
    svg.addEventListener("click", (event) => {
      const at = this.across().invert(event.clientX - svg.getBoundingClientRect().left);
      choose(Math.min(LONGEST, Math.max(1, Math.round(at))));
    });
  }

  show(shown: CurveView) {
    this.shown = shown;
    const { letters, dots } = shown;
    const speeds = LENGTHS.map((k) => `k = ${k}: ${fixed(expectedSpeedup({ ...letters, k }), 2)}×`).join(", ");
    const runs = dots
      .map((dot) =>
        word("; recorded run {name}: k = {k}, {speed}×", { name: dot.name, k: dot.k, speed: fixed(dot.speedup, 2) }),
      )
      .join("");
    this.picture.name(word("Expected speedup by draft length: {speeds}{runs}", { speeds, runs }));
    if (this.dots.childElementCount !== dots.length)
      this.dots.replaceChildren(...dots.map(() => shape("text", "run-dot", RUN_MARK)));
    this.picture.redraw();
  }

  edges() {
    const { width, height, em } = this.picture.size;
    return { left: 3 * em, right: width - 1 * em, upper: 0.9 * em, lower: height - 2.6 * em, em };
  }

  across() {
    const { left, right } = this.edges();
    return scaleLinear([0, LONGEST], [left, right]);
  }

  draw({ width, height, em }: PictureSize) {
    if (!this.shown) return;
    const { letters, dots, lit } = this.shown;
    const edges = this.edges();
    const { left, right, upper, lower } = edges;
    const speeds = LENGTHS.map((k) => expectedSpeedup({ ...letters, k }));
    const top = Math.max(2, Math.ceil(4 * Math.max(...speeds, ...dots.map((dot) => dot.speedup)) * 1.04) / 4);
    const x = this.across();
    const y = scaleLinear([0, top], [lower, upper]);
    placeBar(this.slow, left, right - left, y(1), lower);
    place(this.even, { x1: left, x2: right, y1: y(1), y2: y(1) });
    place(this.slowWords, { x: right - 0.5 * em, y: lower - 0.5 * em });
    showPart(this.slowWords, lower - y(1) > 1.4 * em);
    const every = x(1) - x(0) < 1.7 * em ? 4 : 2;
    this.ticks.name(LENGTHS.filter((k) => k % every === 0));
    this.ticks.draw(x, edges);
    this.scale.name(y.ticks(4).filter(Number.isInteger), (speed) => `${speed}×`);
    this.scale.draw(y, edges);
    place(this.axisName, { x: (left + right) / 2, y: height - 0.3 * em });
    place(this.line, { d: lineThrough(speeds.map((speed, k) => [x(k), y(speed)])) });
    this.points.forEach((point, k) => {
      const slower = speeds[k] < 1 - 1e-9;
      setText(point, slower ? "✕" : "•");
      place(point, {
        x: x(k),
        y: y(speeds[k]) + (slower ? 0.36 : 0.5) * em,
        class: `speed-point ${slower ? "slower" : "faster"}`,
      });
    });
    place(this.here, { cx: x(letters.k), cy: y(speeds[letters.k]), r: 0.62 * em });
    const best = bestLength(letters);
    place(this.star, { x: x(best), y: y(speeds[best]) + 0.5 * em });
    showPart(this.star, best > 0);
    setText(this.label, `k = ${letters.k}: ${fixed(speeds[letters.k], 2)}×`);
    const aside = lit < 0 && dots.some(({ k }) => k === letters.k) ? 3.6 * em : 0; // beside the dots, and not on them
    const beside = Math.min(right - 4 * em, Math.max(left + 4 * em, x(letters.k) + aside));
    const above = lit >= 0 && dots[lit].speedup < speeds[letters.k]; // the run and its name lie below
    const free = above ? y(speeds[letters.k]) - 1.1 * em : Math.min(lower - 0.4 * em, y(speeds[letters.k]) + 1.9 * em);
    place(this.label, { x: beside, y: Math.max(em, free) });
    this.drawDots(dots, lit, x, y);
    showPart(this.dotLabel, lit >= 0);
    if (width && lit >= 0) {
      setText(this.dotLabel, dots[lit].name);
      const before = x(dots[lit].k) > right - 6 * em;
      const at = { x: x(dots[lit].k) + (before ? -0.9 : 0.9) * em, y: y(dots[lit].speedup) + 0.35 * em };
      place(this.dotLabel, { ...at, class: `dot-label${before ? " before" : ""}` });
    }
  }

  drawDots(dots: CurveView["dots"], lit: number, x: (k: number) => number, y: (speed: number) => number) {
    [...this.dots.children].forEach((node, i) => {
      const { k, speedup } = dots[i];
      place(node, { x: x(k), y: y(speedup) + 0.47 * this.picture.size.em, class: `run-dot${i === lit ? " lit" : ""}` });
    });
  }
}
