// v(n): the measured cost of a pass over n tokens, between one pass and n passes. What lies below the upper line is saved. One curve is in
// front; the others stand beside it.

import { scaleLog } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.ts";
import { explain } from "../../shared/notes.ts";
import { fixed, word } from "../../shared/words.ts";
import { Axes } from "../common/axes.ts";
import { areaBetween, lineThrough, Picture, type PictureSize, showPart } from "../common/drawing.ts";
import type { CostSource } from "../lesson_types.ts";
import { type CostCurve, type CostPoint, doublingsOf, nearestPoint, spansOf } from "./cost_curve.ts";
import { pointHow, savedWords } from "./cost_text.ts";

/** `curve` is the one in front, `chosen` its point, `across` the name of n. */
type CostView = {
  source: CostSource;
  curves: CostCurve[];
  curve: number;
  chosen: number;
  bend: number | null;
  across: string;
};
type ChartScales = {
  x: (n: number) => number;
  y: (v: number) => number;
  left: number;
  right: number;
  lower: number;
  em: number;
};

export class CostChart {
  picture = new Picture("pass-chart", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  axes = new Axes("", word("cost, in passes over one token"));
  saved = shape("path", "cost-saved");
  many = shape("line", "cost-many");
  manyWords = shape("text", "cost-name many", word("n passes"));
  one = shape("line", "cost-one");
  oneWords = shape("text", "cost-name one", word("one pass"));
  bendLine = shape("line", "cost-bend");
  bendWords = shape("text", "cost-bend-words", word("it bends about here"));
  beside = shape("g");
  line = shape("path", "cost-line");
  spreads = shape("path", "cost-spread");
  points = shape("g");
  here = shape("circle", "speed-here");
  gap = shape("line", "cost-gap");
  gapWords = shape("text", "gap-words");
  label = shape("text", "speed-label");
  shown: CostView | null = null;

  constructor(choose: (index: number) => void) {
    const { svg } = this.picture;
    svg.append(
      this.saved,
      this.many,
      this.one,
      this.bendLine,
      this.gap,
      this.spreads,
      this.beside,
      this.line,
      this.here,
    );
    svg.append(this.points, this.oneWords, this.manyWords, this.bendWords, this.gapWords, this.label, this.axes.node);
    svg.addEventListener("click", (event) => {
      if (!this.shown) return;
      const { x } = this.scales();
      const points = this.shown.curves[this.shown.curve].points;
      choose(nearestPoint(points, x.invert(event.clientX - svg.getBoundingClientRect().left)));
    });
  }

  show(shown: CostView) {
    const before = this.shown;
    this.shown = shown;
    if (before?.curves !== shown.curves || before.curve !== shown.curve) this.build(shown);
    this.picture.redraw();
  }

  build({ source, curves, curve, across }: CostView) {
    const { points } = curves[curve];
    setText(this.axes.across, across);
    const rows = points.map(({ tokens, v }) => `v(${tokens}) = ${fixed(v, 2)}`).join(", ");
    this.picture.name(word("The cost of a pass over n tokens, in passes over one token: {rows}", { rows }));
    this.points.replaceChildren(
      ...points.map((point) => {
        const node = shape("g", "hinted", shape("circle", "cost-point"));
        explain(node, pointHow(point, source));
        return node;
      }),
    );
    this.beside.replaceChildren(
      ...curves.map(({ name }) =>
        shape("g", "", shape("path", "cost-beside"), shape("text", "cost-name beside", name)),
      ),
    );
    this.axes.ticks.x.name(doublingsOf(spansOf(curves).x));
    this.axes.ticks.y.name(doublingsOf(spansOf(curves).y));
  }

  /** The scales: of all curves, so that another one in front moves nothing. */
  scales() {
    const { left, right, upper, lower } = this.edges();
    const spans = spansOf(this.shown?.curves ?? []);
    return { x: scaleLog(spans.x, [left, right]), y: scaleLog(spans.y, [lower, upper]) };
  }

  edges() {
    const { width, height, em } = this.picture.size;
    return { left: 2.6 * em, right: width - 1.2 * em, upper: 1.6 * em, lower: height - 2.7 * em, height, em };
  }

  draw({ em }: PictureSize) {
    if (!this.shown) return;
    const edges = this.edges();
    const { left, right } = edges;
    this.axes.draw(edges);
    const { x, y } = this.scales();
    const scaled = { x, y, ...edges };
    const { points } = this.shown.curves[this.shown.curve];
    const most = points[points.length - 1].tokens;
    const many = points.map(({ tokens }) => y(tokens));
    place(this.saved, { d: areaBetween(points.map(({ tokens, v }) => [x(tokens), y(Math.min(v, tokens))]), many) }); // biome-ignore format: one path
    place(this.many, { x1: x(1), y1: y(1), x2: x(most), y2: y(most) });
    place(this.manyWords, { x: x(most) - 1.4 * em, y: y(most) + 0.9 * em });
    place(this.one, { x1: left, x2: right, y1: y(1), y2: y(1) });
    place(this.oneWords, { x: right, y: y(1) + 1.2 * em });
    place(this.line, { d: lineThrough(points.map(({ tokens, v }) => [x(tokens), y(v)])) });
    place(this.spreads, { d: points.map((point) => spreadOf(point, x, y, em)).join("") });
    [...this.points.children].forEach((point, i) => {
      place(point.children[0], { cx: x(points[i].tokens), cy: y(points[i].v), r: 0.28 * em });
    });
    this.drawBeside(this.shown, scaled);
    this.drawChosen(this.shown, scaled);
    this.drawBend(this.shown, scaled);
    this.axes.ticks.x.draw(x, edges);
    this.axes.ticks.y.draw(y, edges);
  }

  /** The curves that are not in front, each with its name under its last point. */
  drawBeside({ curves, curve }: CostView, { x, y, em }: ChartScales) {
    curves.forEach(({ points }, i) => {
      const [line, name] = this.beside.children[i].children;
      const last = points[points.length - 1];
      place(this.beside.children[i], { display: i === curve ? "none" : "inline" });
      place(line, { d: lineThrough(points.map(({ tokens, v }) => [x(tokens), y(v)])) });
      place(name, { x: x(last.tokens), y: y(last.v) + 1.3 * em });
    });
  }

  drawChosen({ curves, curve, chosen }: CostView, { x, y, left, right, em }: ChartScales) {
    const { points } = curves[curve];
    const { tokens, v } = points[chosen];
    const [from, to] = [y(v), y(tokens)];
    place(this.here, { cx: x(tokens), cy: from, r: 0.62 * em });
    place(this.gap, { x1: x(tokens), x2: x(tokens), y1: from + Math.sign(to - from) * 0.62 * em, y2: to });
    setText(this.gapWords, savedWords(points[chosen]));
    const end = Math.max(x(tokens) - 0.4 * em, left + 10 * em); // its words stand above the line of n passes
    const slope = (y(2) - y(1)) / (x(2) - x(1));
    place(this.gapWords, { x: end, y: y(1) + (end - x(1)) * slope - 0.6 * em, class: "gap-words saved before" });
    showPart(this.gap, tokens > 1 && Math.abs(from - to) > 0.8 * em);
    showPart(this.gapWords, tokens > 1);
    const most = points[points.length - 1].tokens;
    showPart(this.manyWords, tokens === most || x(tokens) < x(most) - 6.5 * em); // the saved passes would stand on them
    setText(this.label, `v(${tokens}) = ${fixed(v, 2)}`);
    const before = x(tokens) > right - 7 * em;
    const last = points[chosen - 1] ?? points[chosen];
    const fall = before ? Math.min(1, (6 * em) / Math.max(1, x(tokens) - x(last.tokens))) * (y(last.v) - from) : 0;
    const under = from + 1.5 * em + Math.max(0, fall); // below the curve, which comes from the left
    place(this.label, {
      x: x(tokens) + (before ? -0.6 : 0.6) * em,
      y: under,
      class: `speed-label ${before ? "before" : "after"}`,
    });
    showPart(this.oneWords, !before || under < y(1) || under > y(1) + 2.4 * em);
  }

  drawBend({ bend }: CostView, { x, y, lower, right, em }: ChartScales) {
    const within = bend !== null && bend > 1; // from the first token on, the line itself shows it
    showPart(this.bendLine, within);
    showPart(this.bendWords, within);
    if (!within) return;
    place(this.bendLine, { x1: x(bend), x2: x(bend), y1: y(bend), y2: lower });
    const before = x(bend) > right - 10 * em;
    place(this.bendWords, {
      x: x(bend) + (before ? -0.5 : 0.5) * em,
      y: lower - 0.45 * em,
      class: `cost-bend-words ${before ? "before" : "after"}`,
    });
  }
}

function spreadOf({ tokens, low, high }: CostPoint, x: (n: number) => number, y: (v: number) => number, em: number) {
  const [at, half] = [x(tokens), 0.3 * em];
  const cap = (v: number) => lineThrough([[at - half, y(v)], [at + half, y(v)]]); // biome-ignore format: two points
  return `${lineThrough([[at, y(low)], [at, y(high)]])}${cap(low)}${cap(high)}`; // biome-ignore format: two points
}
