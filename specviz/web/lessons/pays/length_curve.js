// The expected speedup at every draft length, with recorded runs on it. Below 1 it is slower than plain decoding, and drawn so.

/** @import { Letters, RunDot } from "../types" */

import { Picture, place, placeBar, shape, showPart } from "../common/drawing.js";
import { bestLength, expectedSpeedup, LONGEST } from "../common/theory.js";

const LENGTHS = Array.from({ length: LONGEST + 1 }, (_, k) => k);

/** @typedef {{ letters: Letters, dots: (RunDot & { mark: string })[], lit: number }} Curved */

export class LengthCurve {
  /** @param {(k: number) => void} choose */
  constructor(choose) {
    this.picture = new Picture("length-curve", (size) => this.draw(size));
    this.node = this.picture.node;
    this.slow = shape("rect", "slow-region");
    place(this.slow, { fill: this.picture.hatching("rejected") });
    this.slowWords = shape("text", "slow-words", "slower than plain");
    this.even = shape("line", "even-line");
    this.line = shape("path", "speed-line");
    this.points = LENGTHS.map(() => shape("text", "speed-point"));
    this.here = shape("circle", "speed-here");
    this.star = shape("text", "speed-star", "★");
    this.label = shape("text", "speed-label");
    this.dots = shape("g");
    this.dotLabel = shape("text", "dot-label");
    this.ticks = LENGTHS.map((k) => shape("text", "tick", String(k)));
    this.axisName = shape("text", "tick axis-name", "draft length k");
    this.scale = Array.from({ length: 8 }, () => shape("text", "tick scale"));
    const { svg } = this.picture;
    svg.append(this.slow, this.even, this.slowWords, ...this.ticks, this.axisName, ...this.scale, this.line, this.here);
    svg.append(...this.points, this.star, this.dots, this.label, this.dotLabel);
    /** @type {Curved | null} */
    this.shown = null;
    svg.addEventListener("click", (event) => {
      const { left } = this.edges();
      const at = (event.clientX - svg.getBoundingClientRect().left - left) / this.step();
      choose(Math.min(LONGEST, Math.max(1, Math.round(at))));
    });
  }

  /** @param {Curved} shown */
  show(shown) {
    this.shown = shown;
    const { letters, dots } = shown;
    const speeds = LENGTHS.map((k) => `k = ${k}: ${expectedSpeedup({ ...letters, k }).toFixed(2)}×`).join(", ");
    const runs = dots.map((dot) => `; recorded run ${dot.name}: k = ${dot.k}, ${dot.speedup.toFixed(2)}×`).join("");
    this.picture.name(`Expected speedup by draft length: ${speeds}${runs}`);
    if (this.dots.childElementCount !== dots.length)
      this.dots.replaceChildren(...dots.map(() => shape("text", "run-dot")));
    this.picture.redraw();
  }

  edges() {
    const { width, height, em } = this.picture.size;
    return { left: 3 * em, right: width - 1 * em, upper: 0.9 * em, lower: height - 2.6 * em };
  }

  step() {
    const { left, right } = this.edges();
    return (right - left) / LONGEST;
  }

  /** @param {{ width: number, height: number, em: number }} size */
  draw({ width, height, em }) {
    if (!this.shown) return;
    const { letters, dots, lit } = this.shown;
    const { left, right, upper, lower } = this.edges();
    const speeds = LENGTHS.map((k) => expectedSpeedup({ ...letters, k }));
    const top = Math.max(2, Math.ceil(4 * Math.max(...speeds, ...dots.map((dot) => dot.speedup)) * 1.04) / 4);
    /** @type {(k: number) => number} */
    const x = (k) => left + k * this.step();
    /** @type {(speed: number) => number} */
    const y = (speed) => lower - (speed / top) * (lower - upper);
    placeBar(this.slow, left, right - left, y(1), lower);
    place(this.even, { x1: left, x2: right, y1: y(1), y2: y(1) });
    place(this.slowWords, { x: right - 0.5 * em, y: lower - 0.5 * em });
    showPart(this.slowWords, lower - y(1) > 1.4 * em);
    this.drawScale(top, em, y);
    const every = this.step() < 1.7 * em ? 4 : 2;
    this.ticks.forEach((tick, k) => {
      place(tick, { x: x(k), y: lower + 1.1 * em });
      showPart(tick, k % every === 0);
    });
    place(this.axisName, { x: (left + right) / 2, y: height - 0.3 * em });
    place(this.line, { d: `M${speeds.map((speed, k) => `${x(k).toFixed(1)} ${y(speed).toFixed(1)}`).join("L")}` });
    this.points.forEach((point, k) => {
      const slower = speeds[k] < 1 - 1e-9;
      const sign = slower ? "✕" : "•";
      if (point.textContent !== sign) point.textContent = sign;
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
    const text = `k = ${letters.k}: ${speeds[letters.k].toFixed(2)}×`;
    if (this.label.textContent !== text) this.label.textContent = text;
    const aside = lit < 0 && dots.some(({ k }) => k === letters.k) ? 3.6 * em : 0; // beside the dots, and not on them
    const beside = Math.min(right - 4 * em, Math.max(left + 4 * em, x(letters.k) + aside));
    const above = lit >= 0 && dots[lit].speedup < speeds[letters.k]; // the run and its name lie below
    const free = above ? y(speeds[letters.k]) - 1.1 * em : Math.min(lower - 0.4 * em, y(speeds[letters.k]) + 1.9 * em);
    place(this.label, { x: beside, y: Math.max(em, free) });
    this.drawDots(dots, lit, x, y);
    showPart(this.dotLabel, lit >= 0);
    if (width && lit >= 0) {
      if (this.dotLabel.textContent !== dots[lit].name) this.dotLabel.textContent = dots[lit].name;
      const before = x(dots[lit].k) > right - 6 * em;
      const at = { x: x(dots[lit].k) + (before ? -0.9 : 0.9) * em, y: y(dots[lit].speedup) + 0.35 * em };
      place(this.dotLabel, { ...at, class: `dot-label${before ? " before" : ""}` });
    }
  }

  /**
   * @param {number} top
   * @param {number} em
   * @param {(speed: number) => number} y
   */
  drawScale(top, em, y) {
    const by = top > 4 ? 2 : 1;
    this.scale.forEach((mark, i) => {
      const speed = i * by;
      const text = `${speed}×`;
      if (mark.textContent !== text) mark.textContent = text;
      place(mark, { x: 2.6 * em, y: y(speed) + 0.35 * em });
      showPart(mark, speed <= top && (speed > 0 || by === 1));
    });
  }

  /**
   * @param {Curved["dots"]} dots
   * @param {number} lit
   * @param {(k: number) => number} x
   * @param {(speed: number) => number} y
   */
  drawDots(dots, lit, x, y) {
    [...this.dots.children].forEach((node, i) => {
      const { mark, k, speedup } = dots[i];
      if (node.textContent !== mark) node.textContent = mark;
      place(node, { x: x(k), y: y(speedup) + 0.47 * this.picture.size.em, class: `run-dot${i === lit ? " lit" : ""}` });
    });
  }
}
