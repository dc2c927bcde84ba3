// The surface as a map: a column for each measured number of guests, a row for each number of tokens. A cell shows what its pass costs,
// measured, or the speedup that follows from it, calculated; the line between where speculation pays and where it does not is on both.

/** @import { BatchPoint, BatchResult } from "../types" */
/** @import { Best, Surface } from "./surface.js" */

import { scaleLinear, scaleQuantize } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";
import { word } from "../../shared/words.js";
import { Axes } from "../common/axes.js";
import { lineThrough, Picture, showGroup, showPart } from "../common/drawing.js";
import { amount, costWords, timeWords } from "../common/quantities.js";
import { indexAmong } from "../common/scales.js";
import { expectedSpeedup } from "../common/theory.js";
import { NOT_YET } from "../measured/measured_text.js";
import { bestAt, borderOf, lettersAt } from "./surface.js";

/** @typedef {"cost" | "speedup"} SurfaceView */
/** @typedef {{ result: BatchResult, surface: Surface, alpha: number, guests: number, view: SurfaceView }} Mapped */

/** The strongest colour of a cell, in percent: letters on it stay legible. */
const STRONGEST = 50;

export class SurfaceMap {
  /** @param {(guests: number) => void} choose */
  constructor(choose) {
    this.picture = new Picture("surface-map", (size) => this.draw(size));
    this.node = this.picture.node;
    this.axes = new Axes(word("guests in one batch"), word("tokens for each guest"));
    this.cells = shape("g");
    this.border = shape("path", "surface-border");
    this.chosen = shape("rect", "surface-chosen");
    this.marker = shape("text", "surface-marker", "▲");

    this.drawn = shape("g", "", this.cells, this.border, this.chosen, this.marker);
    const { svg } = this.picture;
    svg.append(this.drawn, this.axes.node);
    /** @type {Mapped | null} */
    this.shown = null;
    svg.addEventListener("click", (event) => {
      if (!this.shown) return;
      const { guests } = this.shown.surface;
      const { left, right } = this.edges();
      const column = scaleQuantize([left, right], guests);
      choose(column(event.clientX - svg.getBoundingClientRect().left));
    });
  }

  /** @param {Mapped | null} shown */
  show(shown) {
    const other = shown?.surface !== this.shown?.surface;
    this.shown = shown;
    showGroup(this.drawn, Boolean(shown));
    if (!shown) this.picture.name(word("The cost of a pass over guests and tokens: not measured on this machine yet."));
    else if (other) this.build(shown);
    this.picture.redraw();
  }

  /** @param {Mapped} shown */
  build({ result, surface: { guests, passes } }) {
    this.picture.name(
      word("The cost of a pass by guests and tokens. The table after this picture has its numbers."),
      "group",
    );
    this.base = result.points[0].pass_s;
    this.grid = passes.map((column) => column.map((pass) => new SurfaceCell(pass)));
    this.cells.replaceChildren(...this.grid.flat().map((cell) => cell.node));
    this.axes.ticks.x.name(guests);
  }

  edges() {
    const { width, height, em } = this.picture.size;
    const left = (width > 34 * em ? 5.6 : 2.2) * em;
    return { left, right: width - 2, upper: 1.5 * em, lower: height - 2.7 * em, height, em };
  }

  /** @param {{ width: number, height: number, em: number }} size */
  draw({ em }) {
    const edges = this.edges();
    const { left, right, upper, lower } = edges;
    const { shown, grid } = this;
    this.axes.draw(edges, shown ? "" : word(NOT_YET));
    if (!shown || !grid) return;
    const { surface, alpha, guests: chosen, view } = shown;
    const { guests, tokens } = surface;
    const x = scaleLinear([0, guests.length], [left, right]);
    const y = scaleLinear([0, tokens.length], [lower, upper]);
    const [wide, tall] = [x(1) - x(0), y(0) - y(1)];
    const dearest = Math.max(...shown.result.points.map(({ pass_s }) => pass_s)) / (this.base ?? 1);
    /** @type {(boolean | null)[][]} */
    const pays = guests.map((b, i) => {
      const best = bestAt(surface, b, alpha);
      return tokens.map((n, j) => {
        const letters = n > 1 ? lettersAt(surface, b, n - 1, alpha) : null;
        const speedup = letters && expectedSpeedup(letters);
        const cell = grid[i][j];
        cell.say({ view, speedup, best, plain: n === 1, base: this.base ?? 1, dearest });
        cell.move(x(i), y(j + 1), wide, tall, em);
        place(cell.node, { tabindex: b === chosen ? 0 : -1 }); // the keyboard explains the column that is chosen
        return speedup === null ? null : speedup >= 1;
      });
    });
    const lines = borderOf(pays).map(({ x1, y1, x2, y2 }) => lineThrough([[x(x1), y(y1)], [x(x2), y(y2)]])); // biome-ignore format: two points
    place(this.border, { d: lines.join("") });
    const column = guests.indexOf(chosen);
    place(this.chosen, { x: x(column), y: upper, width: wide, height: lower - upper });
    showPart(this.chosen, column >= 0);
    place(this.marker, { x: x(indexAmong(guests, chosen) + 0.5), y: lower + 1.1 * em });
    showPart(this.marker, column < 0);
    const narrow = left < 4 * em;
    this.axes.ticks.y.name(tokens, (n) => (narrow ? String(n) : n === 1 ? "1 (plain)" : `${n} (k = ${n - 1})`));
    this.axes.ticks.x.draw((b) => x(guests.indexOf(b) + 0.5), edges);
    this.axes.ticks.y.draw((n) => y(tokens.indexOf(n) + 0.5), edges);
  }
}

/** One pass: its rectangle, its number, and what pointing at it says. */
class SurfaceCell {
  /** @param {BatchPoint | null} pass */
  constructor(pass) {
    this.pass = pass;
    this.ground = shape("rect", "cell-ground");
    this.mark = shape("text", "cell-text");
    this.text = shape("text", "cell-text");
    this.node = shape("g", "surface-cell", this.ground, this.mark, this.text);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} em */
  move(x, y, width, height, em) {
    place(this.ground, { x: x + 1, y: y + 1, width: Math.max(0, width - 2), height: Math.max(0, height - 2) });
    const [middle, base] = [x + width / 2, y + height / 2 + 0.36 * em];
    const marked = Boolean(this.mark.textContent);
    const stacked = marked && width < 4.6 * em; // the mark stands above its number
    place(this.mark, { x: middle - (stacked ? 0 : 1.35 * em), y: base - (stacked ? 0.6 * em : 0) });
    place(this.text, { x: middle + (marked && !stacked ? 0.55 * em : 0), y: base + (stacked ? 0.6 * em : 0) });
  }

  /**
   * @param {{ view: SurfaceView, speedup: number | null, best: Best | null, plain: boolean, base: number, dearest: number }} at
   */
  say({ view, speedup, best, plain, base, dearest }) {
    const { pass } = this;
    if (!pass) {
      place(this.node, { class: "surface-cell missing" });
      setText(this.text, "–");
      explain(this.node, word("Not measured, for lack of time or memory."));
      return;
    }
    const cost = pass.pass_s / base;
    const state = speedup === null ? "none" : speedup >= 1 ? "pays" : "slower";
    const most = speedup !== null && speedup >= 1 && best?.k === pass.tokens - 1;
    const mark = speedup === null ? "" : most ? "★" : speedup >= 1 ? "✓" : "✕";
    setText(this.mark, mark);
    const gain = plain ? "plain" : (speedup?.toFixed(2) ?? "–");
    setText(this.text, view === "cost" ? `${costWords(cost)}×` : gain);
    place(this.node, { class: `surface-cell ${view} ${state}${most ? " most" : ""}` });
    const heat = dearest > 1 ? Math.max(0, Math.log(cost) / Math.log(dearest)) : 0;
    place(this.ground, { style: `--heat: ${(STRONGEST * Math.min(1, heat)).toFixed(0)}%` });
    const { guests, tokens } = pass;
    const measured = `${amount(guests, "guest")}, ${amount(tokens, "token")} each: measured ${timeWords(pass.pass_s)} (${timeWords(pass.low_s)} to ${timeWords(pass.high_s)}), ${costWords(cost)} times the pass for one guest over one token.`;
    explain(
      this.node,
      speedup === null ? measured : `${measured} Speedup with k = ${tokens - 1}: ${speedup.toFixed(2)}×, calculated.`,
    );
  }
}
