// Chapter 1: how fast this machine reads and computes, and what share of its arithmetic one pass uses.

/** @import { BandwidthResult, MeasuredOptions } from "../types" */

import { el, setText } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";
import { word } from "../../shared/words.js";
import { dress, furnish } from "../common/explorable_frame.js";
import { Sentence, UnseenTable } from "../common/measured_parts.js";
import { shareWords, spelledWords, timeWords } from "../common/quantities.js";
import { legendOf } from "../common/widgets.js";
import { aboveWords, arithmeticWords, disturbedWords, machineWords, readingWords } from "../measured/measured_text.js";
import { rooflineOf } from "./roofline.js";
import { RooflineChart } from "./roofline_chart.js";

export class RooflinePanel {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const { body, note } = furnish(element, word("This machine's memory and arithmetic, measured"));
    body.classList.add("measured-body");
    this.note = note;
    this.figure = el("b", "measured-headline-figure", "");
    this.verdict = el("span", "", "");
    this.headline = el("p", "measured-headline", this.figure, this.verdict);
    this.reading = new Sentence("measured-words");
    this.above = el("p", "measured-aside", "");
    this.warning = el("p", "measured-warning", "");
    this.chart = new RooflineChart();
    this.legend = legendOf([
      ["one", "⬤", word("a pass over one token")],
      ["passes", "●", word("passes over so many tokens")],
      ["roof", "━", word("the roof, measured")],
    ]);
    this.table = new UnseenTable();
    body.append(
      this.warning,
      this.headline,
      this.reading.node,
      this.chart.node,
      this.legend,
      this.above,
      this.table.node,
    );
  }

  /** @param {BandwidthResult | null} result @param {string} problem @param {MeasuredOptions} options */
  show(result, problem, options) {
    const roofline = result && rooflineOf(result);
    for (const part of [this.figure, this.legend]) part.hidden = !result;
    this.chart.show(result, roofline);
    this.reading.say(result && roofline ? readingWords(result, roofline) : []);
    setText(this.above, roofline ? aboveWords(roofline) : "");
    setText(this.warning, result ? disturbedWords(result) : problem);
    for (const part of [this.above, this.warning]) part.hidden = !part.textContent;
    if (result && roofline) {
      const { figure, how, words } = arithmeticWords(result, roofline);
      setText(this.figure, figure);
      explain(this.figure, how);
      setText(this.verdict, words);
      this.table.fill(
        word("Passes under the roof"),
        [
          word("tokens"),
          word("time"),
          word("operations a second"),
          word("share of the arithmetic"),
          word("share of the memory bandwidth"),
        ],
        roofline.dots.map((dot) => [
          String(dot.tokens),
          timeWords(dot.pass_s),
          spelledWords(dot.rate),
          shareWords(dot.arithmetic),
          shareWords(dot.reading),
        ]),
      );
    } else {
      setText(this.verdict, word("What share of the arithmetic does one pass use?"));
      this.table.empty();
    }
    dress(this.element, this.note, options, result ? machineWords(result) : "");
  }
}
