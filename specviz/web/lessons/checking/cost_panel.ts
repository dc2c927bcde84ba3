// What a pass over n tokens costs on a recorded machine, for one guest or several, of a dense model or a mixture of experts; of a large model by
// a formula. Between one pass and n passes lies the curve; what lies below the upper line is saved. One curve is in front; the others stand beside it.

import { scaleLog } from "d3-scale";
import { el, place, setText, shape } from "../../shared/dom.ts";
import { explain } from "../../shared/notes.ts";
import { english, fixed, several, word } from "../../shared/words.ts";
import { areaBetween, lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf, Sentence } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import { Choices, Dragger, legendOf } from "../common/widgets.ts";
import type { CostPicture, CostSource } from "../lesson_types.ts";
import { bendWords, type CostCurve, costParts, curvesOf, machineWords, nearestPoint, pointHow } from "./cost_curve.ts";

/** `curve` is the one in front, `chosen` its point, `across` the name of n. */
type CostView = { source: CostSource; curves: CostCurve[]; curve: number; chosen: number; across: string };

class CostChart extends Picture<CostView> {
  /** The points of the curve in front, which say how they were measured. */
  points = shape("g");

  show(shown: CostView) {
    const { points } = shown.curves[shown.curve];
    if (this.view?.curves[this.view.curve].points !== points) this.build(points, shown.source);
    const rows = points.map(({ tokens, v }) => `v(${tokens}) = ${fixed(v, 2)}`).join(", ");
    this.present(shown, word("The cost of a pass over n tokens, in passes over one token: {rows}", { rows }));
  }

  build(points: CostCurve["points"], source: CostSource) {
    const nodes = points.map((point) => {
      const node = shape("g", "hinted", shape("circle", "cost-point"));
      explain(node, pointHow(point, source));
      return node;
    });
    this.points.replaceChildren(...nodes);
    this.svg.append(this.points);
  }

  draw({ curves, curve, chosen, across }: CostView, { em }: PictureSize) {
    const edges = this.edges(2.6, 1.2, 1.6, 2.7);
    const { left, right } = edges;
    const { x, y } = scalesOf(curves, edges);
    const curveOf = (points: CostCurve["points"]) => lineThrough(points.map(({ tokens, v }) => [x(tokens), y(v)]));
    const { points } = curves[curve];
    const most = points[points.length - 1].tokens;
    const below = points.map(({ tokens, v }): [number, number] => [x(tokens), y(Math.min(v, tokens))]);
    const many = points.map(({ tokens }) => y(tokens));
    const { tokens, v } = points[chosen];
    const [from, to] = [y(v), y(tokens)];
    const before = x(tokens) > right - 7 * em;
    const last = points[chosen - 1] ?? points[chosen];
    const fall = before ? Math.min(1, (6 * em) / Math.max(1, x(tokens) - x(last.tokens))) * (y(last.v) - from) : 0;
    const label = from + 1.5 * em + Math.max(0, fall); // below the curve, which comes from the left
    const saved = word("✓ saved: {gap} passes", { gap: fixed(tokens - v, 1) });
    const end = Math.max(x(tokens) - 0.4 * em, left + 10 * em); // its words stand above the line of n passes
    const slope = (y(2) - y(1)) / (x(2) - x(1));
    const clear = tokens === most || x(tokens) < x(most) - 6.5 * em; // else the saved passes would stand on them
    [...this.points.children].forEach((point, i) => {
      place(point.children[0], { cx: x(points[i].tokens), cy: y(points[i].v), r: 0.28 * em });
    });
    return [
      mark.path("cost-saved", areaBetween(below, many)),
      mark.line("cost-many", x(1), y(1), x(most), y(most)),
      mark.line("cost-one", left, y(1), right, y(1)),
      tokens > 1 &&
        Math.abs(from - to) > 0.8 * em &&
        mark.line("cost-gap", x(tokens), from + Math.sign(to - from) * 0.62 * em, x(tokens), to),
      mark.path(
        "cost-spread",
        points.map(({ tokens, low, high }) => spreadOf(x(tokens), y(low), y(high), em)).join(""),
      ),
      ...curves.flatMap(({ name, points }, i) => {
        const { tokens, v } = points[points.length - 1];
        const onOne = Math.abs(y(v) + 0.95 * em - y(1)) < 0.9 * em; // the line of one pass would strike the name through
        return [
          i !== curve && mark.path("cost-beside", curveOf(points)),
          i !== curve && mark.text("cost-name beside", name, x(tokens), y(v) + (onOne ? -0.5 : 1.3) * em),
        ];
      }),
      mark.path("cost-line", curveOf(points)),
      mark.circle("speed-here", x(tokens), from, 0.62 * em),
      (!before || label < y(1) || label > y(1) + 2.4 * em) &&
        mark.text("cost-name one", word("one pass"), right, y(1) + 1.2 * em),
      clear && mark.text("cost-name many", word("n passes"), x(most) - 1.4 * em, y(most) + 0.9 * em),
      tokens > 1 && mark.text("gap-words saved before", saved, end, y(1) + (end - x(1)) * slope - 0.6 * em),
      mark.text(
        `speed-label ${before ? "before" : "after"}`,
        `v(${tokens}) = ${fixed(v, 2)}`,
        x(tokens) + (before ? -0.6 : 0.6) * em,
        label,
      ),
      ...mark.axes(across, word("cost, in passes over one token"), edges),
      ...mark.ticksAcross(doublings(x), x, edges),
      ...mark.ticksUpright(doublings(y), y, edges),
    ];
  }
}

/** Both in doublings: for all curves, so that another one in front moves nothing, and for both lines to the last measured number of tokens. */
function scalesOf(curves: CostCurve[], { left, right, upper, lower }: mark.Edges) {
  const all = curves.flatMap(({ points }) => points);
  const most = Math.max(2, ...all.map(({ tokens }) => tokens));
  const high = Math.max(most, ...all.map((point) => point.high));
  const low = Math.min(1, ...all.map((point) => point.low));
  return {
    x: scaleLog([0.9, most * 1.05], [left, right]).base(2),
    y: scaleLog([low * 0.4, high * 1.15], [lower, upper]).base(2),
  };
}

/** 1, 2, 4 and so on, as far as the scale goes. */
function doublings(scale: ReturnType<typeof scaleLog>) {
  return Array.from({ length: Math.floor(Math.log2(scale.domain()[1])) + 1 }, (_, i) => 2 ** i);
}

function spreadOf(x: number, low: number, high: number, em: number) {
  const cap = `h${-0.3 * em}h${0.6 * em}`;
  return `M${x} ${low}${cap}M${x} ${high}${cap}M${x} ${low}V${high}`;
}

/** The number of tokens that the slider stands at first, or the measured one nearest to it. */
const FIRST_TOKENS = 6;

export const mountCosts = mountOf(english("What a pass over n tokens costs"), (body) => {
  const sentence = new Sentence();
  const bent = el("p", "measured-words");
  const curveChoice = new Choices("curve-row", word("guests in one batch"), (name: string) => {
    curve = curves.findIndex((other) => other.name === name);
    render();
  });
  const dragger = new Dragger("", { min: 0, max: 1, step: 1 }, (index) => {
    chosen = index;
    render();
  });
  const chart = new CostChart("pass-chart");
  const legend = el("div");
  let source: CostSource | null = null;
  let curves: CostCurve[] = [];
  let [curve, chosen, across] = [0, -1, ""];

  const render = () => {
    if (!source) return;
    const { name, points } = curves[curve];
    sentence.say(costParts(source, curves[curve], chosen));
    setText(bent, source.calculated ? "" : bendWords(points)); // the scale of tokens is another one
    for (const other of curves) curveChoice.show(other.name, { text: other.name, chosen: other.name === name });
    dragger.show(chosen, several(points[chosen].tokens, "{n} [token|tokens]"));
    chart.show({ source, curves, curve, chosen, across });
  };

  sentence.node.setAttribute("aria-live", "polite");
  body.classList.add("measured-body");
  body.append(sentence.node, curveChoice.node, dragger.node, chart.node, legend, bent);
  return {
    show: ({ picture, costs }) => {
      const wanted = curves[curve]?.points[chosen].tokens ?? FIRST_TOKENS;
      const { choices, ...measured } = curvesOf(picture as CostPicture, costs);
      ({ source, curves } = measured);
      curve = choices - 1;
      curveChoice.offer(choices > 1 ? curves.map(({ name }) => name) : []);
      curveChoice.node.hidden = choices < 2;
      const { points, guests } = curves[curve];
      chosen = nearestPoint(points, wanted);
      across = guests ? word("n: tokens for each guest") : word("n: tokens in the pass");
      dragger.offer(across, { min: 0, max: points.length - 1, step: 1 });
      const keys = legendOf([
        ["cost", "●", source.calculated ? word("v(n), calculated") : word("v(n), measured")],
        ["many", "┅", word("n passes over one token")],
        ["plain", "━", word("one pass over one token")],
      ]);
      legend.replaceChildren(keys);
      render();
    },
    note: () => (source ? machineWords(source) : ""),
  };
});
