// Chapter 2: one pass over n tokens against n passes over one, measured here; before that, and beside it, on a recorded machine.

/** @import { MeasuredOptions, PassCostResult } from "../types" */
/** @import { CostPoint } from "./pass_cost.js" */

import { el, setText } from "../../shared/dom.js";
import { fixed, word } from "../../shared/words.js";
import { dress, furnish } from "../common/explorable_frame.js";
import { Sentence, stretch, UnseenTable } from "../common/measured_parts.js";
import { amount, timeWords } from "../common/quantities.js";
import { Dragger, legendOf } from "../common/widgets.js";
import { readMeasured } from "../measured/measured_read.js";
import { bendWords, costParts, disturbedWords, machineWords } from "../measured/measured_text.js";
import { PassChart } from "./pass_chart.js";
import { bendOf, curveOf, nearestPoint } from "./pass_cost.js";

/** The number of tokens that the slider stands at first, or the measured one nearest to it. */
const FIRST_TOKENS = 6;

export class PassPanel {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const { body, note } = furnish(element, word("What a pass over n tokens costs"));
    body.classList.add("measured-body");
    this.note = note;
    this.sentence = new Sentence("measured-headline sentence");
    this.sentence.node.setAttribute("aria-live", "polite");
    this.bent = el("p", "measured-words", "");
    this.warning = el("p", "measured-warning", "");
    this.dragger = new Dragger(word("n: tokens in the pass"), { min: 0, max: 1, step: 1, page: 2 }, (index) =>
      this.choose(index),
    );
    this.chart = new PassChart((index) => this.choose(index));
    this.legend = legendOf([
      ["cost", "●", "v(n), measured"],
      ["many", "┅", word("n passes over one token")],
      ["plain", "━", word("one pass over one token")],
    ]);
    this.table = new UnseenTable();
    body.append(this.warning, this.sentence.node, this.dragger.node, this.chart.node, this.legend, this.bent);
    body.append(this.table.node);
    /** @type {PassCostResult | null} */
    this.result = null;
    /** @type {CostPoint[]} */
    this.curve = [];
    /** The recorded machine's curve and name, beside one that was measured here. @type {{ curve: CostPoint[], name: string } | null} */
    this.beside = null;
    this.chosen = -1;
    /** @type {number | null} */
    this.bend = null;
  }

  /** @param {PassCostResult | null} measured @param {string} problem @param {MeasuredOptions} options */
  show(measured, problem, options) {
    const recorded = /** @type {PassCostResult | null} */ (readMeasured(options.costs).result);
    const result = measured ?? recorded;
    this.beside = measured && recorded && { curve: curveOf(recorded.points), name: recorded.recorded ?? "" };
    if (result?.dense) this.beside = { curve: curveOf(result.dense), name: word("a dense model") };
    const wanted = this.curve[this.chosen]?.tokens ?? FIRST_TOKENS;
    this.result = result;
    this.curve = result ? curveOf(result.points) : [];
    this.chosen = result ? nearestPoint(this.curve, wanted) : -1;
    this.bend = result && bendOf(this.curve);
    stretch(this.dragger, { min: 0, max: Math.max(1, this.curve.length - 1), step: 1, page: 2 });
    this.dragger.node.hidden = this.curve.length < 2;
    this.legend.hidden = !result;
    setText(this.bent, result ? bendWords(this.curve, this.bend) : "");
    setText(this.warning, measured ? disturbedWords(measured) : problem);
    for (const part of [this.bent, this.warning]) part.hidden = !part.textContent;
    if (result) {
      const spread = result.points.map((point) => `${timeWords(point.low_s)} to ${timeWords(point.high_s)}`);
      this.table.fill(
        word("The cost of a pass over n tokens"),
        ["n", "time", "spread", "v(n)"],
        this.curve.map((point, i) => [String(point.tokens), timeWords(point.pass_s), spread[i], fixed(point.v, 2)]),
      );
    } else this.table.empty();
    this.render();
    dress(this.element, this.note, options, result ? machineWords(result) : "");
  }

  /** @param {number} index */
  choose(index) {
    if (!this.curve[index]) return;
    this.chosen = index;
    this.render();
  }

  render() {
    const { result, curve, chosen, bend, beside } = this;
    if (!result) {
      this.sentence.say([word("One pass over n tokens, or n passes over one?")]);
      this.chart.show(null);
      return;
    }
    this.sentence.say(costParts(result, curve, chosen));
    this.dragger.show(chosen, amount(curve[chosen].tokens, "token"));
    this.chart.show({ result, curve, chosen, bend, beside });
  }
}
