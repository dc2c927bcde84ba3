// The roofline, on logarithmic scales: the roof that memory and arithmetic were measured to give, and the measured passes under it.

/** @import { BandwidthResult } from "../types" */
/** @import { RoofDot, Roofline } from "./roofline.js" */

import { scaleLog } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";
import { word } from "../../shared/words.js";
import { Axes } from "../common/axes.js";
import { lineThrough, Picture, placeBar, showGroup, showPart } from "../common/drawing.js";
import { Hinted } from "../common/measured_parts.js";
import { amount, bytesWords, scaleWords, shareWords, timeWords } from "../common/quantities.js";
import { ticksOfLog } from "../common/scales.js";
import {
  arithmeticWords,
  HOW_ARITHMETIC,
  HOW_CACHE,
  HOW_MEMORY,
  howWords,
  NOT_YET,
} from "../measured/measured_text.js";
import { roofAt } from "./roofline.js";

export class RooflineChart {
  constructor() {
    this.picture = new Picture("roofline-chart", (size) => this.draw(size));
    this.node = this.picture.node;
    this.axes = new Axes(word("operations for each byte that is read"), word("operations a second"));
    this.memoryZone = shape("rect", "roof-zone memory");
    this.computeZone = shape("rect", "roof-zone compute");
    this.memoryWords = shape("text", "zone-name memory", word("memory-bound"));
    this.computeWords = shape("text", "zone-name compute", word("compute-bound"));
    this.ridge = shape("line", "roof-ridge");
    this.level = shape("line", "roof-level");
    this.roof = shape("path", "roof-line");
    this.cacheLine = shape("line", "roof-cache");
    this.cacheLabel = shape("text", "roof-label cache");
    this.memory = shape("text", "roof-label memory");
    this.arithmetic = shape("text", "roof-label arithmetic");
    this.gap = shape("line", "roof-gap");
    this.gapWords = shape("text", "roof-free");
    this.dots = shape("g");
    this.memoryHint = new Hinted(this.memory);
    this.cacheHint = new Hinted(this.cacheLine, this.cacheLabel);
    this.arithmeticHint = new Hinted(this.arithmetic);
    this.gapHint = new Hinted(this.gap, this.gapWords);
    this.drawn = shape("g", "", this.memoryZone, this.computeZone, this.ridge, this.level, this.roof, this.memoryWords);
    this.drawn.append(this.computeWords, this.cacheHint.node, this.memoryHint.node, this.arithmeticHint.node);
    this.drawn.append(this.gapHint.node, this.dots);
    this.picture.svg.append(this.drawn, this.axes.node);
    /** @type {{ result: BandwidthResult, roofline: Roofline } | null} */
    this.shown = null;
  }

  /** @param {BandwidthResult | null} result @param {Roofline | null} roofline */
  show(result, roofline) {
    this.shown = result && roofline && { result, roofline };
    if (this.shown) this.build(this.shown);
    else this.picture.name(word("Roofline: not measured on this machine yet."));
    showGroup(this.drawn, Boolean(this.shown));
    this.picture.redraw();
  }

  /** @param {NonNullable<RooflineChart["shown"]>} shown */
  build({ result, roofline: { dots, one, x, y } }) {
    this.picture.name(
      `Roofline: a pass over one token uses ${shareWords(one.arithmetic)} of the arithmetic and reads ${shareWords(one.reading)} of what memory alone was measured to read in the same time.`,
    );
    this.memoryHint.say(howWords(HOW_MEMORY, result));
    this.cacheHint.say(howWords(HOW_CACHE, result));
    this.arithmeticHint.say(howWords(HOW_ARITHMETIC, result));
    this.gapHint.say(arithmeticWords(result, { one }).how);
    this.dots.replaceChildren(...dots.map((dot) => dotNode(dot)));
    this.axes.ticks.x.name(ticksOfLog(x), scaleWords);
    this.axes.ticks.y.name(ticksOfLog(y), scaleWords);
    setText(this.gapWords, `${shareWords(Math.max(0, 1 - one.arithmetic))} unused`);
  }

  /** @param {{ width: number, height: number, em: number }} size */
  draw({ width, height, em }) {
    const [left, right, upper, lower] = [4 * em, width - 0.6 * em, 1.6 * em, height - 2.7 * em];
    const edges = { left, right, upper, lower, height, em };
    const { shown } = this;
    this.axes.draw(edges, shown ? "" : word(NOT_YET));
    if (!shown) return;
    const { result, roofline } = shown;
    const x = scaleLog(roofline.x, [left, right]);
    const y = scaleLog(roofline.y, [lower, upper]);
    this.drawRoof(result, roofline, { x, y, left, right, upper, lower, em });
    this.drawDots(result, roofline, { x, y, left, em });
    this.axes.ticks.x.draw(x, edges, 3.2);
    this.axes.ticks.y.draw(y, edges, 1.4);
  }

  /**
   * @param {BandwidthResult} result
   * @param {Roofline} roofline
   * @param {{ x: (intensity: number) => number, y: (rate: number) => number, left: number, right: number, upper: number, lower: number, em: number }} at
   */
  drawRoof(result, { ridge, one, cache, x: [from, to] }, { x, y, left, right, upper, lower, em }) {
    const { operations_per_s: most } = result;
    const corner = x(ridge);
    const start = y(roofAt(from, result));
    placeBar(this.memoryZone, left, corner - left, upper, lower);
    placeBar(this.computeZone, corner, right - corner, upper, lower);
    place(this.ridge, { x1: corner, x2: corner, y1: y(most), y2: lower });
    place(this.level, { x1: Math.min(corner, x(one.intensity)), x2: corner, y1: y(most), y2: y(most) });
    const bend = y(most);
    place(this.roof, { d: lineThrough([[left, start], [corner, bend], [right, bend]]) }); // biome-ignore format: three points
    showPart(this.cacheLine, cache !== null);
    showPart(this.cacheLabel, cache !== null);
    if (cache) {
      const end = Math.min(to, most / cache);
      const line = { x1: left, y1: y(from * cache), x2: x(end), y2: y(end * cache) };
      place(this.cacheLine, line);
      alongLine(this.cacheLabel, `cache: ${bytesWords(cache)}/s`, { ...line, em });
    }
    place(this.memoryWords, { x: (left + corner) / 2, y: lower - 0.6 * em });
    place(this.computeWords, { x: (corner + right) / 2, y: lower - 0.6 * em });
    showPart(this.memoryWords, corner - left > 7.5 * em);
    showPart(this.computeWords, right - corner > 7.5 * em);
    alongLine(this.memory, `memory: ${bytesWords(result.reading_bytes_per_s)}/s`, {
      x1: left,
      y1: start,
      x2: corner,
      y2: y(most),
      em,
      below: cache !== null, // above it are the dots that need the cache
    });
    const long = `arithmetic: ${scaleWords(most)} operations/s`;
    setText(this.arithmetic, right - left > 26 * em ? long : `arithmetic: ${scaleWords(most)}/s`);
    place(this.arithmetic, { x: right, y: y(most) - 0.6 * em });
  }

  /**
   * @param {BandwidthResult} result
   * @param {Roofline} roofline
   * @param {{ x: (intensity: number) => number, y: (rate: number) => number, left: number, em: number }} at
   */
  drawDots({ operations_per_s: most }, { dots, one }, { x, y, left, em }) {
    [...this.dots.children].forEach((node, i) => {
      const { tokens, intensity, rate, reading } = dots[i];
      const [spot, word] = node.children;
      const before = tokens === 1 && reading > 1 && x(intensity) - left > 7.5 * em; // the roof runs below the dot
      place(spot, { cx: x(intensity), cy: y(rate), r: (tokens === 1 ? 0.5 : 0.36) * em });
      place(word, {
        x: x(intensity) + (before ? -0.9 : 0.75) * em,
        y: y(rate) + (before ? 0.4 : 1.15) * em,
        class: `roof-count${before ? " before" : ""}`,
      });
    });
    const at = x(one.intensity);
    const room = y(one.rate) - y(most);
    place(this.gap, { x1: at, x2: at, y1: y(one.rate) - 0.6 * em, y2: y(most) });
    place(this.gapWords, { x: at - 0.4 * em, y: y(most) - 0.6 * em });
    showPart(this.gap, room > 1.5 * em);
    showPart(this.gapWords, room > 1.5 * em);
  }
}

/**
 * Put words on a line, turned as it is.
 * @param {SVGElement} label
 * @param {string} words
 * @param {{ x1: number, y1: number, x2: number, y2: number, em: number, below?: boolean }} line
 */
function alongLine(label, words, { x1, y1, x2, y2, em, below = false }) {
  setText(label, words);
  const part = below ? 0.25 : 0.6; // of the line
  const tilt = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [x, y] = [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
  place(label, {
    x,
    y: y + (below ? 2.3 : -0.6) * em,
    transform: `rotate(${tilt.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})`,
  });
}

/** @param {RoofDot} dot */
function dotNode({ tokens, arithmetic, pass_s }) {
  const share = shareWords(arithmetic);
  const dot = shape(
    "g",
    `roof-dot${tokens === 1 ? " one" : ""}`,
    shape("circle", "roof-spot"),
    shape("text", "roof-count", tokens === 1 ? `1 token: ${share}` : String(tokens)),
  );
  const pass = `a pass over ${amount(tokens, "token")} in ${timeWords(pass_s)}`;
  explain(dot, `Measured: ${pass}, ${share} of the arithmetic.`);
  return dot;
}
