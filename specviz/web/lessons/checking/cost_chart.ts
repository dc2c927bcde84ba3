// v(n): the measured cost of a pass over n tokens, between one pass and n passes. What lies below the upper line is saved. One curve is in
// front; the others stand beside it.

import { scaleLog } from "d3-scale";
import { place, shape } from "../../shared/dom.ts";
import { explain } from "../../shared/notes.ts";
import { fixed, word } from "../../shared/words.ts";
import { areaBetween, lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { axes, circle, join, line, path, text, ticksAcross, ticksUpright } from "../common/marks.ts";
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
type Scales = { x: (n: number) => number; y: (v: number) => number };

export class CostChart extends Picture<CostView> {
  /** The points of the curve in front, which say how they were measured, and what is drawn over them. */
  points = shape("g");
  front = shape("g");

  constructor(choose: (index: number) => void) {
    super("pass-chart");
    this.svg.append(this.points, this.front);
    this.svg.addEventListener("click", (event) => {
      if (!this.view) return;
      const { x } = this.scales(this.view);
      const { points } = this.view.curves[this.view.curve];
      choose(nearestPoint(points, x.invert(event.clientX - this.svg.getBoundingClientRect().left)));
    });
  }

  show(shown: CostView) {
    const { points } = shown.curves[shown.curve];
    if (this.view?.curves[this.view.curve].points !== points) this.build(points, shown.source);
    const rows = points.map(({ tokens, v }) => `v(${tokens}) = ${fixed(v, 2)}`).join(", ");
    this.present(shown, word("The cost of a pass over n tokens, in passes over one token: {rows}", { rows }));
  }

  build(points: CostPoint[], source: CostSource) {
    this.points.replaceChildren(
      ...points.map((point) => {
        const node = shape("g", "hinted", shape("circle", "cost-point"));
        explain(node, pointHow(point, source));
        return node;
      }),
    );
  }

  /** The scales: of all curves, so that another one in front moves nothing. */
  scales({ curves }: CostView) {
    const { left, right, upper, lower } = this.edges();
    const spans = spansOf(curves);
    return { x: scaleLog(spans.x, [left, right]), y: scaleLog(spans.y, [lower, upper]) };
  }

  edges() {
    const { width, height, em } = this.size;
    return { left: 2.6 * em, right: width - 1.2 * em, upper: 1.6 * em, lower: height - 2.7 * em, height, em };
  }

  draw(view: CostView, { em }: PictureSize) {
    const { curves, curve, chosen, across, bend } = view;
    const edges = this.edges();
    const { left, right, lower } = edges;
    const { x, y } = this.scales(view);
    const curveOf = (points: CostPoint[]) => lineThrough(points.map(({ tokens, v }) => [x(tokens), y(v)]));
    const { points } = curves[curve];
    const most = points[points.length - 1].tokens;
    const below = points.map(({ tokens, v }): [number, number] => [x(tokens), y(Math.min(v, tokens))]);
    const { tokens, v } = points[chosen];
    const [from, to] = [y(v), y(tokens)];
    const label = labelOf(points, chosen, { x, y }, right, em);
    const bends = bend !== null && bend > 1; // from the first token on, the line itself shows it
    join(this.parts, [
      path(
        "cost-saved",
        areaBetween(
          below,
          points.map((point) => y(point.tokens)),
        ),
      ),
      line("cost-many", x(1), y(1), x(most), y(most)),
      line("cost-one", left, y(1), right, y(1)),
      bends && line("cost-bend", x(bend), y(bend), x(bend), lower),
      tokens > 1 &&
        Math.abs(from - to) > 0.8 * em &&
        line("cost-gap", x(tokens), from + Math.sign(to - from) * 0.62 * em, x(tokens), to),
      path("cost-spread", points.map((point) => spreadOf(point, x, y, em)).join("")),
      ...curves.flatMap(({ name, points }, i) => {
        const last = points[points.length - 1];
        if (i === curve) return [false, false] as const;
        return [
          path("cost-beside", curveOf(points)),
          text("cost-name beside", name, x(last.tokens), y(last.v) + 1.3 * em),
        ];
      }),
      path("cost-line", curveOf(points)),
      circle("speed-here", x(tokens), from, 0.62 * em),
    ]);
    [...this.points.children].forEach((point, i) => {
      place(point.children[0], { cx: x(points[i].tokens), cy: y(points[i].v), r: 0.28 * em });
    });
    const end = Math.max(x(tokens) - 0.4 * em, left + 10 * em); // its words stand above the line of n passes
    const slope = (y(2) - y(1)) / (x(2) - x(1));
    const clear = tokens === most || x(tokens) < x(most) - 6.5 * em; // else the saved passes would stand on them
    join(this.front, [
      (!label.before || label.y < y(1) || label.y > y(1) + 2.4 * em) &&
        text("cost-name one", word("one pass"), right, y(1) + 1.2 * em),
      clear && text("cost-name many", word("n passes"), x(most) - 1.4 * em, y(most) + 0.9 * em),
      bends && bendOf(x(bend), x(bend) > right - 10 * em, lower, em),
      tokens > 1 &&
        text("gap-words saved before", savedWords(points[chosen]), end, y(1) + (end - x(1)) * slope - 0.6 * em),
      text(`speed-label ${label.before ? "before" : "after"}`, `v(${tokens}) = ${fixed(v, 2)}`, label.x, label.y),
      ...axes(across, word("cost, in passes over one token"), edges),
      ...ticksAcross(doublingsOf(spansOf(curves).x), x, edges),
      ...ticksUpright(doublingsOf(spansOf(curves).y), y, edges),
    ]);
  }
}

/** Where the name of the chosen point stands: below the curve, which comes from the left. */
function labelOf(points: CostPoint[], chosen: number, { x, y }: Scales, right: number, em: number) {
  const { tokens, v } = points[chosen];
  const before = x(tokens) > right - 7 * em;
  const last = points[chosen - 1] ?? points[chosen];
  const fall = before ? Math.min(1, (6 * em) / Math.max(1, x(tokens) - x(last.tokens))) * (y(last.v) - y(v)) : 0;
  return { before, x: x(tokens) + (before ? -0.6 : 0.6) * em, y: y(v) + 1.5 * em + Math.max(0, fall) };
}

function bendOf(x: number, before: boolean, lower: number, em: number) {
  const kind = `cost-bend-words ${before ? "before" : "after"}`;
  return text(kind, word("it bends about here"), x + (before ? -0.5 : 0.5) * em, lower - 0.45 * em);
}

function spreadOf({ tokens, low, high }: CostPoint, x: (n: number) => number, y: (v: number) => number, em: number) {
  const [at, half] = [x(tokens), 0.3 * em];
  const cap = (v: number) => lineThrough([[at - half, y(v)], [at + half, y(v)]]); // biome-ignore format: two points
  return `${lineThrough([[at, y(low)], [at, y(high)]])}${cap(low)}${cap(high)}`; // biome-ignore format: two points
}
