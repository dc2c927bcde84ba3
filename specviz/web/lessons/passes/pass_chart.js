// v(n): the measured cost of a pass over n tokens, between one pass and n passes. What lies below the upper line is saved.

/** @import { PassCostResult } from "../types" */
/** @import { CostPoint } from "./pass_cost.js" */

import { scaleLog } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.js";
import { fixed, word } from "../../shared/words.js";
import { Axes } from "../common/axes.js";
import { areaBetween, lineThrough, Picture, showGroup, showPart } from "../common/drawing.js";
import { Hinted } from "../common/measured_parts.js";
import { amount } from "../common/quantities.js";
import { gapWords, NOT_YET, pointHow } from "../measured/measured_text.js";
import { doublingsOf, nearestPoint, spansOf } from "./pass_cost.js";

/** @typedef {{ result: PassCostResult, curve: CostPoint[], chosen: number, bend: number | null,
 *   beside: { curve: CostPoint[], name: string } | null }} Costed `beside`: another machine's curve. */

export class PassChart {
  /** @param {(index: number) => void} choose */
  constructor(choose) {
    this.picture = new Picture("pass-chart", (size) => this.draw(size));
    this.node = this.picture.node;
    this.axes = new Axes(word("n: tokens in the pass"), word("cost, in passes over one token"));
    this.saved = shape("path", "cost-saved");
    this.many = shape("line", "cost-many");
    this.manyWords = shape("text", "cost-name many", word("n passes"));
    this.one = shape("line", "cost-one");
    this.oneWords = shape("text", "cost-name one", word("one pass"));
    this.bendLine = shape("line", "cost-bend");
    this.bendWords = shape("text", "cost-bend-words", word("it bends about here"));
    this.besideLine = shape("path", "cost-beside");
    this.besideName = shape("text", "cost-name beside");
    this.line = shape("path", "cost-line");
    this.spreads = shape("path", "cost-spread");
    this.points = shape("g");
    this.here = shape("circle", "speed-here");
    this.gap = shape("line", "cost-gap");
    this.gapWords = shape("text", "gap-words");
    this.label = shape("text", "speed-label");

    this.drawn = shape(
      "g",
      "",
      this.saved,
      this.many,
      this.one,
      this.bendLine,
      this.gap,
      this.spreads,
      this.besideLine,
      this.line,
    );
    this.drawn.append(
      this.here,
      this.points,
      this.besideName,
      this.oneWords,
      this.manyWords,
      this.bendWords,
      this.gapWords,
      this.label,
    );
    const { svg } = this.picture;
    svg.append(this.drawn, this.axes.node);
    /** @type {Costed | null} */
    this.shown = null;
    svg.addEventListener("click", (event) => {
      if (!this.shown) return;
      const { curve } = this.shown;
      const { x } = this.scalesOf(curve);
      choose(nearestPoint(curve, x.invert(event.clientX - svg.getBoundingClientRect().left)));
    });
  }

  /** @param {Costed | null} shown */
  show(shown) {
    const other = shown?.curve !== this.shown?.curve;
    this.shown = shown;
    showGroup(this.drawn, Boolean(shown));
    if (!shown) this.picture.name(word("The cost of a pass over n tokens: not measured on this machine yet."));
    else if (other) this.build(shown);
    this.picture.redraw();
  }

  /** @param {Costed} shown */
  build({ result, curve, bend }) {
    const rows = curve.map(({ tokens, v }) => `v(${tokens}) = ${fixed(v, 2)}`).join(", ");
    const bent = bend === null ? "" : `; it bends about at ${amount(bend, "token")}`;
    this.picture.name(`The cost of a pass over n tokens, in passes over one token: ${rows}${bent}`);
    this.points.replaceChildren(
      ...curve.map((point) => {
        const hinted = new Hinted(shape("circle", "cost-point"));
        hinted.say(pointHow(point, result, curve[0]));
        return hinted.node;
      }),
    );
    this.axes.ticks.x.name(doublingsOf(spansOf(curve).x));
    this.axes.ticks.y.name(doublingsOf(spansOf(curve).y));
  }

  /** @param {CostPoint[]} curve */
  scalesOf(curve) {
    const { left, right, upper, lower } = this.edges();
    const spans = spansOf(curve);
    return { x: scaleLog(spans.x, [left, right]), y: scaleLog(spans.y, [lower, upper]) };
  }

  edges() {
    const { width, height, em } = this.picture.size;
    return { left: 2.6 * em, right: width - 1.2 * em, upper: 1.6 * em, lower: height - 2.7 * em, height, em };
  }

  /** @param {{ width: number, height: number, em: number }} size */
  draw({ em }) {
    const edges = this.edges();
    const { left, right, lower } = edges;
    this.axes.draw(edges, this.shown ? "" : word(NOT_YET));
    if (!this.shown) return;
    const { curve } = this.shown;
    const { x, y } = this.scalesOf(curve);
    const most = curve[curve.length - 1].tokens;
    const many = curve.map(({ tokens }) => y(tokens));
    place(this.saved, { d: areaBetween(curve.map(({ tokens, v }) => [x(tokens), y(Math.min(v, tokens))]), many) }); // biome-ignore format: one path
    place(this.many, { x1: x(1), y1: y(1), x2: x(most), y2: y(most) });
    place(this.manyWords, { x: x(most) - 1.4 * em, y: y(most) + 0.9 * em });
    place(this.one, { x1: left, x2: right, y1: y(1), y2: y(1) });
    place(this.oneWords, { x: right, y: y(1) + 1.2 * em });
    place(this.line, { d: lineThrough(curve.map(({ tokens, v }) => [x(tokens), y(v)])) });
    place(this.spreads, { d: curve.map((point) => spreadOf(point, x, y, em)).join("") });
    [...this.points.children].forEach((point, i) => {
      place(point.children[0], { cx: x(curve[i].tokens), cy: y(curve[i].v), r: 0.28 * em });
    });
    this.drawBeside(this.shown, { x, y, em });
    this.drawChosen(this.shown, { x, y, left, right, em });
    this.drawBend(this.shown, { x, y, lower, right, em });
    this.axes.ticks.x.draw(x, edges);
    this.axes.ticks.y.draw(y, edges);
  }

  /** @param {Costed} shown @param {{ x: (n: number) => number, y: (v: number) => number, em: number }} at */
  drawBeside({ curve, beside }, { x, y, em }) {
    showPart(this.besideLine, Boolean(beside));
    showPart(this.besideName, Boolean(beside));
    if (!beside) return;
    const points = beside.curve.filter(({ tokens }) => tokens <= curve[curve.length - 1].tokens);
    const last = points[points.length - 1];
    place(this.besideLine, { d: lineThrough(points.map(({ tokens, v }) => [x(tokens), y(v)])) });
    setText(this.besideName, beside.name);
    place(this.besideName, { x: x(last.tokens), y: y(last.v) + 1.3 * em });
  }

  /**
   * @param {Costed} shown
   * @param {{ x: (n: number) => number, y: (v: number) => number, left: number, right: number, em: number }} at
   */
  drawChosen({ curve, chosen }, { x, y, left, right, em }) {
    const { tokens, v } = curve[chosen];
    const [from, to] = [y(v), y(tokens)];
    place(this.here, { cx: x(tokens), cy: from, r: 0.62 * em });
    place(this.gap, { x1: x(tokens), x2: x(tokens), y1: from + Math.sign(to - from) * 0.62 * em, y2: to });
    const { text, state } = gapWords(curve[chosen]);
    setText(this.gapWords, text);
    const end = Math.max(x(tokens) - 0.4 * em, left + 10 * em); // its words stand above the line of n passes
    const slope = (y(2) - y(1)) / (x(2) - x(1));
    place(this.gapWords, { x: end, y: y(1) + (end - x(1)) * slope - 0.6 * em, class: `gap-words ${state} before` });
    showPart(this.gap, tokens > 1 && Math.abs(from - to) > 0.8 * em);
    showPart(this.gapWords, tokens > 1);
    const most = curve[curve.length - 1].tokens;
    showPart(this.manyWords, tokens === most || x(tokens) < x(most) - 6.5 * em); // the saved passes would stand on them
    setText(this.label, `v(${tokens}) = ${fixed(v, 2)}`);
    const before = x(tokens) > right - 7 * em;
    const last = curve[chosen - 1] ?? curve[chosen];
    const fall = before ? Math.min(1, (6 * em) / Math.max(1, x(tokens) - x(last.tokens))) * (y(last.v) - from) : 0;
    const under = from + 1.5 * em + Math.max(0, fall); // below the curve, which comes from the left
    place(this.label, {
      x: x(tokens) + (before ? -0.6 : 0.6) * em,
      y: under,
      class: `speed-label ${before ? "before" : "after"}`,
    });
    showPart(this.oneWords, !before || under < y(1) || under > y(1) + 2.4 * em);
  }

  /**
   * @param {Costed} shown
   * @param {{ x: (n: number) => number, y: (v: number) => number, lower: number, right: number, em: number }} at
   */
  drawBend({ bend }, { x, y, lower, right, em }) {
    showPart(this.bendLine, bend !== null);
    showPart(this.bendWords, bend !== null);
    if (bend === null) return;
    place(this.bendLine, { x1: x(bend), x2: x(bend), y1: y(bend), y2: lower });
    const before = x(bend) > right - 10 * em;
    place(this.bendWords, {
      x: x(bend) + (before ? -0.5 : 0.5) * em,
      y: lower - 0.45 * em,
      class: `cost-bend-words ${before ? "before" : "after"}`,
    });
  }
}

/** @param {CostPoint} point @param {(n: number) => number} x @param {(v: number) => number} y @param {number} em */
function spreadOf({ tokens, low, high }, x, y, em) {
  const [at, half] = [x(tokens), 0.3 * em];
  const cap = (/** @type {number} */ v) => lineThrough([[at - half, y(v)], [at + half, y(v)]]); // biome-ignore format: two points
  return `${lineThrough([[at, y(low)], [at, y(high)]])}${cap(low)}${cap(high)}`; // biome-ignore format: two points
}
