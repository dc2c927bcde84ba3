// v(n): the measured cost of a pass over n tokens, between "one pass" and "n passes". What lies below the upper line is saved.

/** @import { CostPoint } from "./passcost.js" */

import { setText } from "../player/dom.js";
import { Picture, place, shape, showPart } from "./drawing.js";
import { ticksOfLine } from "./logscale.js";
import { Axes, showGroup, thinned } from "./measuredparts.js";
import { gapWords, NOT_YET } from "./measuredwords.js";
import { nearestPoint, topOf } from "./passcost.js";
import { plural } from "./quantities.js";

/** @typedef {{ curve: CostPoint[], chosen: number, bend: number | null }} Costed */

export class PassChart {
  /** @param {(index: number) => void} choose */
  constructor(choose) {
    this.picture = new Picture("pass-chart", (size) => this.draw(size));
    this.node = this.picture.node;
    this.axes = new Axes("n: tokens in the pass", "cost, in passes over one token");
    this.saved = shape("path", "cost-saved");
    this.many = shape("line", "cost-many");
    this.manyWords = shape("text", "cost-name many", "n passes");
    this.one = shape("line", "cost-one");
    this.oneWords = shape("text", "cost-name one", "one pass");
    this.bendLine = shape("line", "cost-bend");
    this.bendWords = shape("text", "cost-bend-words", "it bends about here");
    this.line = shape("path", "cost-line");
    this.spreads = shape("path", "cost-spread");
    this.points = shape("g");
    this.here = shape("circle", "speed-here");
    this.gap = shape("line", "cost-gap");
    this.gapWords = shape("text", "gap-words");
    this.label = shape("text", "speed-label");
    this.ticks = shape("g");
    this.drawn = shape("g");
    this.drawn.append(this.saved, this.many, this.one, this.bendLine, this.gap, this.spreads, this.line, this.here);
    this.drawn.append(this.points, this.oneWords, this.manyWords, this.bendWords, this.gapWords, this.label);
    const { svg } = this.picture;
    svg.append(this.drawn, this.axes.node, this.ticks);
    /** @type {Costed | null} */
    this.shown = null;
    svg.addEventListener("click", (event) => {
      if (!this.shown) return;
      const { curve } = this.shown;
      const { left, right } = this.edges();
      const part = (event.clientX - svg.getBoundingClientRect().left - left) / (right - left);
      choose(nearestPoint(curve, part * curve[curve.length - 1].tokens));
    });
  }

  /** @param {Costed | null} shown */
  show(shown) {
    const other = shown?.curve !== this.shown?.curve;
    this.shown = shown;
    showGroup(this.drawn, Boolean(shown));
    showGroup(this.ticks, Boolean(shown));
    if (!shown) this.picture.name(`The cost of a pass over n tokens: ${NOT_YET}.`);
    else if (other) this.build(shown);
    this.picture.redraw();
  }

  /** @param {Costed} shown */
  build({ curve, bend }) {
    const rows = curve.map(({ tokens, v }) => `v(${tokens}) = ${v.toFixed(2)}`).join(", ");
    const bent = bend === null ? "" : `; it bends about at ${plural(bend, "token")}`;
    this.picture.name(`The cost of a pass over n tokens, in passes over one token: ${rows}${bent}`);
    this.points.replaceChildren(...curve.map(() => shape("circle", "cost-point")));
    this.acrossTicks = curve.map(({ tokens }) => shape("text", "tick", String(tokens)));
    this.upright = ticksOfLine(topOf(curve), 6);
    this.uprightTicks = this.upright.map((tick) => shape("text", "tick scale", String(tick)));
    this.ticks.replaceChildren(...this.acrossTicks, ...this.uprightTicks);
  }

  edges() {
    const { width, height, em } = this.picture.size;
    return { left: 2.6 * em, right: width - 1.2 * em, upper: 1.6 * em, lower: height - 2.7 * em, height, em };
  }

  /** @param {{ width: number, height: number, em: number }} size */
  draw({ em }) {
    const edges = this.edges();
    const { left, right, upper, lower } = edges;
    this.axes.draw(edges, this.shown ? "" : NOT_YET);
    if (!this.shown) return;
    const { curve } = this.shown;
    const most = Math.max(2, curve[curve.length - 1].tokens);
    const top = topOf(curve);
    /** @type {(n: number) => number} */
    const x = (n) => left + (n / most) * (right - left);
    /** @type {(v: number) => number} */
    const y = (v) => lower - (v / top) * (lower - upper);
    const end = Math.min(most, top);
    const path = curve.map(({ tokens, v }) => `${x(tokens).toFixed(1)} ${y(v).toFixed(1)}`);
    const back = [...path].reverse().join("L");
    place(this.saved, { d: `M${x(1)} ${y(1)}L${x(end)} ${y(end)}H${x(most)}L${back}Z` });
    place(this.many, { x1: x(1), y1: y(1), x2: x(end), y2: y(end) });
    place(this.manyWords, { x: Math.max(left + 4.5 * em, x(end) - 0.8 * em), y: y(end) + 1.2 * em });
    place(this.one, { x1: left, x2: right, y1: y(1), y2: y(1) });
    place(this.oneWords, { x: right, y: y(1) + 1.2 * em });
    place(this.line, { d: `M${path.join("L")}` });
    place(this.spreads, { d: curve.map((point) => spreadOf(point, x, y, em)).join("") });
    [...this.points.children].forEach((point, i) => {
      place(point, { cx: x(curve[i].tokens), cy: y(curve[i].v), r: 0.28 * em });
    });
    this.drawChosen(this.shown, { x, y, top, right, em });
    this.drawBend(this.shown, { x, upper, lower, right, em });
    this.acrossTicks?.forEach((tick, i) => void place(tick, { x: x(curve[i].tokens), y: lower + 1.1 * em }));
    this.uprightTicks?.forEach((tick, i) => {
      place(tick, { x: left - 0.5 * em, y: y(this.upright?.[i] ?? 0) + 0.35 * em });
    });
    thinned(
      this.acrossTicks ?? [],
      curve.map(({ tokens }) => x(tokens)),
      1.9 * em,
    );
  }

  /**
   * @param {Costed} shown
   * @param {{ x: (n: number) => number, y: (v: number) => number, top: number, right: number, em: number }} at
   */
  drawChosen({ curve, chosen }, { x, y, top, right, em }) {
    const { tokens, v } = curve[chosen];
    const [from, to] = [y(v), y(Math.min(tokens, top))];
    place(this.here, { cx: x(tokens), cy: from, r: 0.62 * em });
    place(this.gap, { x1: x(tokens), x2: x(tokens), y1: from + Math.sign(to - from) * 0.62 * em, y2: to });
    const { text, state } = gapWords(curve[chosen]);
    setText(this.gapWords, text);
    const before = x(tokens) > right - 9.5 * em;
    const beside = x(tokens) + (before ? -0.7 : 0.7) * em;
    place(this.gapWords, {
      x: beside,
      y: (from + to) / 2 + 0.35 * em,
      class: `gap-words ${state} ${before ? "before" : "after"}`,
    });
    const apart = Math.abs(from - to);
    showPart(this.gap, tokens > 1 && apart > 0.8 * em);
    showPart(this.gapWords, tokens > 1 && apart > 3 * em);
    setText(this.label, `v(${tokens}) = ${v.toFixed(2)}`);
    place(this.label, { x: Math.min(x(tokens), right - 3.5 * em), y: from + 1.75 * em });
  }

  /**
   * @param {Costed} shown
   * @param {{ x: (n: number) => number, upper: number, lower: number, right: number, em: number }} at
   */
  drawBend({ bend }, { x, upper, lower, right, em }) {
    showPart(this.bendLine, bend !== null);
    showPart(this.bendWords, bend !== null);
    if (bend === null) return;
    place(this.bendLine, { x1: x(bend), x2: x(bend), y1: upper + 1.6 * em, y2: lower });
    const before = x(bend) > right - 10 * em;
    place(this.bendWords, {
      x: x(bend) + (before ? -0.5 : 0.5) * em,
      y: upper + 2.7 * em,
      class: `cost-bend-words ${before ? "before" : "after"}`,
    });
  }
}

/**
 * @param {CostPoint} point
 * @param {(n: number) => number} x
 * @param {(v: number) => number} y
 * @param {number} em
 */
function spreadOf({ tokens, low, high }, x, y, em) {
  const [at, half] = [x(tokens), 0.3 * em];
  const cap = (/** @type {number} */ v) => `M${(at - half).toFixed(1)} ${y(v).toFixed(1)}h${(2 * half).toFixed(1)}`;
  return `M${at.toFixed(1)} ${y(low).toFixed(1)}V${y(high).toFixed(1)}${cap(low)}${cap(high)}`;
}
