// What a pass over n tokens costs on a recorded machine, for one guest or several, of a dense model or a mixture of experts; of a large model by a formula.

import { el, setText } from "../../shared/dom.ts";
import { english, fixed, several, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Sentence, stretch, UnseenTable } from "../common/measured_parts.ts";
import { timeWords } from "../common/quantities.ts";
import { Choices, Dragger, legendOf } from "../common/widgets.ts";
import type { CostPicture, CostSource, ExplorableData } from "../lesson_types.ts";
import { CostChart } from "./cost_chart.ts";
import { bendOf, type CostCurve, curvesOf, nearestPoint } from "./cost_curve.ts";
import { bendWords, costParts, machineWords } from "./cost_text.ts";

/** The number of tokens that the slider stands at first, or the measured one nearest to it. */
const FIRST_TOKENS = 6;

class CostPanel {
  sentence = new Sentence("measured-headline");
  bent = el("p", "measured-words", "");
  curveChoice = new Choices(word("guests in one batch"), (name: string) => {
    this.curve = this.curves.findIndex((curve) => curve.name === name);
    this.render();
  });
  dragger = new Dragger("", { min: 0, max: 1, step: 1, page: 2 }, (index) => this.choose(index));
  chart = new CostChart((index) => this.choose(index));
  legend = el("div");
  table = new UnseenTable();
  source: CostSource | null = null;
  curves: CostCurve[] = [];
  curve = 0;
  chosen = -1;
  across = "";

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    this.sentence.node.setAttribute("aria-live", "polite");
    this.curveChoice.node.classList.add("curve-row");
    body.append(this.sentence.node, this.curveChoice.node, this.dragger.node, this.chart.node, this.legend, this.bent);
    body.append(this.table.node);
  }

  show({ picture, costs }: ExplorableData) {
    const wanted = this.points()[this.chosen]?.tokens ?? FIRST_TOKENS;
    const { source, curves, choices } = curvesOf(picture as CostPicture, costs);
    this.source = source;
    this.curves = curves;
    this.curve = choices - 1;
    this.curveChoice.offer(choices > 1 ? curves.map(({ name }) => name) : []);
    this.curveChoice.node.hidden = choices < 2;
    this.chosen = nearestPoint(this.points(), wanted);
    this.across = curves[0].guests ? word("n: tokens for each guest") : word("n: tokens in the pass");
    setText(this.dragger.node.children[0], this.across);
    stretch(this.dragger, { min: 0, max: this.points().length - 1, step: 1, page: 2 });
    this.legend.replaceChildren(
      legendOf([
        ["cost", "●", source.calculated ? word("v(n), calculated") : word("v(n), measured")],
        ["many", "┅", word("n passes over one token")],
        ["plain", "━", word("one pass over one token")],
      ]),
    );
    this.render();
  }

  note() {
    return this.source ? machineWords(this.source) : "";
  }

  points() {
    return this.curves[this.curve]?.points ?? [];
  }

  choose(index: number) {
    this.chosen = index;
    this.render();
  }

  render() {
    const { source, curves, curve, chosen } = this;
    const points = this.points();
    if (!source) return;
    const bend = bendOf(points);
    this.sentence.say(costParts(source, curves[curve], chosen));
    setText(this.bent, source.calculated ? "" : bendWords(points, bend)); // the scale of tokens is another one
    for (const { name } of this.curveChoice.rows.size ? curves : [])
      this.curveChoice.show(name, { text: name, chosen: name === curves[curve].name });
    this.dragger.show(chosen, several(points[chosen].tokens, "{n} [token|tokens]"));
    this.chart.show({ source, curves, curve, chosen, bend, across: this.across });
    this.table.fill(
      word("The cost of a pass over n tokens"),
      ["n", word("time"), "v(n)"],
      points.map(({ tokens, pass_s, v }) => [String(tokens), timeWords(pass_s), fixed(v, 2)]),
    );
  }
}

export const mountCosts = mountOf(english("What a pass over n tokens costs"), (body) => new CostPanel(body));
