// The memory on the left, of which all is read once in a pass; the weights on their way to the tokens; the passes on a time axis.

import { scaleLinear } from "d3-scale";
import { place, setText, shape } from "../../shared/dom.ts";
import { word } from "../../shared/words.ts";
import { Ticks } from "../common/axes.ts";
import { clipped, Picture, showPart } from "../common/drawing.ts";
import { bytesWords, timeWords } from "../common/quantities.ts";
import type { RecordedCosts, StreamMode } from "../lesson_types.ts";
import { type PassTimes, type StreamScene, tokensIn } from "./stream_timeline.ts";

/** The edge of a cell of the memory, in em, and how far the weights move while all of them are read. */
const CELL = 0.75;
const TRAVEL = 42;

let patterns = 0;

/** Small squares, some of them darker: weights. */
class Weights {
  id = `weights-${++patterns}`;
  fill = `url(#${this.id})`;
  pattern: SVGPatternElement;
  cells = Array.from({ length: 16 }, (_, i) => shape("rect", `weight of-${(i * 7 + (i >> 2) * 3) % 4}`));

  constructor(svg: SVGElement, className: string) {
    this.pattern = shape("pattern", className);
    this.pattern.append(...this.cells);
    place(this.pattern, { id: this.id, patternUnits: "userSpaceOnUse" });
    svg.append(this.pattern);
  }

  /** @param cell in pixels. */
  draw(cell: number, across: number, down: number) {
    place(this.pattern, { width: 4 * cell, height: 4 * cell, patternTransform: `translate(${across} ${down})` });
    this.cells.forEach((rect, i) => {
      place(rect, { x: (i % 4) * cell, y: Math.floor(i / 4) * cell, width: 0.8 * cell, height: 0.8 * cell });
    });
  }
}

/** One token: what the pass reads, the weights on their way to it, and what it writes. */
class Row {
  stream = shape("rect", "stream");
  card = shape("rect", "stream-card");
  text = shape("text", "stream-token");
  arrow = shape("text", "stream-arrow", "→");
  outCard = shape("rect", "stream-card out");
  out = shape("text", "stream-token out");
  node = shape("g", "", this.stream, this.card, this.text, this.arrow, this.outCard, this.out);
}

export class StreamPicture {
  still: Weights;
  read: Weights;
  moving: Weights;
  picture = new Picture("stream-picture", () => this.draw(this.scene));
  node: HTMLDivElement = this.picture.node;
  memory = shape("rect", "memory");
  done = shape("rect", "memory-read");
  counter = shape("text", "stream-counter");
  rows = Array.from({ length: 6 }, () => new Row());
  blocks = Array.from({ length: 6 }, () => shape("rect", "stream-pass"));
  ghosts = Array.from({ length: 6 }, () => shape("rect", "stream-ghost"));
  axis = shape("path", "axis frame-line");
  here = shape("line", "stream-here");
  elapsed = shape("text", "stream-elapsed");
  before = shape("text", "stream-elapsed before faint");
  ticks = new Ticks("across");
  scene: StreamScene | null = null;
  mode: StreamMode = "one token";
  bytes = 0;
  times: PassTimes = { one: 1, many: 1 };
  tokens: string[] = [];

  constructor() {
    const { svg } = this.picture;
    this.still = new Weights(svg, "weights still");
    this.read = new Weights(svg, "weights read");
    this.moving = new Weights(svg, "weights moving");
    svg.append(this.memory, this.done, this.counter, ...this.rows.map(({ node }) => node));
    svg.append(this.axis, ...this.ghosts, ...this.blocks, this.here, this.elapsed, this.before, this.ticks.node);
  }

  name(words: string) {
    this.picture.name(words);
  }

  /** @param tokens the one before the first, and one for each pass over a single token. */
  show(mode: StreamMode, costs: RecordedCosts, times: PassTimes, tokens: string[]) {
    this.mode = mode;
    this.bytes = costs.weights_bytes;
    this.times = times;
    this.tokens = tokens;
    const longest = tokensIn(mode) * times.one;
    const scale = scaleLinear([0, longest], [0, 1]);
    this.ticks.name(scale.ticks(5), (seconds) => (seconds ? timeWords(seconds) : "0"));
    this.node.dataset.mode = mode;
    setText(this.before, mode === "six in one" ? word("six passes: {time}", { time: timeWords(longest) }) : "");
  }

  draw(scene: StreamScene | null) {
    this.scene = scene;
    const { width, height, em } = this.picture.size;
    if (!scene || !width) return;
    const count = tokensIn(this.mode);
    const card = Math.min(7.5 * em, 0.2 * width);
    const axisY = height - 1.7 * em;
    const lane = 1.5 * em;
    const floor = axisY - lane - 1.8 * em;
    const memory = { x: 0, y: 1.5 * em, width: Math.min(9 * em, 0.24 * width), height: floor - 1.5 * em };
    this.drawMemory(scene, memory, em);
    const outX = width - card - 2;
    const cardX = outX - card - 1.7 * em;
    const gap = (count > 1 ? 0.5 : 0) * em;
    const tall = Math.min(4.5 * em, (memory.height - (count - 1) * gap) / count);
    const top = memory.y + (memory.height - count * tall - (count - 1) * gap) / 2;
    this.moving.draw(CELL * em, scene.readings * TRAVEL * em, top);
    this.rows.forEach((row, i) => {
      const shown = i < count;
      row.node.setAttribute("visibility", shown ? "visible" : "hidden");
      if (!shown) return;
      const y = top + i * (tall + gap);
      this.drawRow(row, i, { y, tall, gap: i < count - 1 ? gap : 0, card, cardX, outX, from: memory.width, em });
    });
    this.drawTime(scene, { x0: 0.2 * em, x1: width - 0.2 * em, axisY, lane, em });
  }

  drawMemory(scene: StreamScene, box: { x: number; y: number; width: number; height: number }, em: number) {
    const share = scene.ended ? 1 : scene.readings % 1;
    this.still.draw(CELL * em, box.x, box.y);
    this.read.draw(CELL * em, box.x, box.y);
    place(this.memory, { ...box, fill: this.still.fill });
    place(this.done, { ...box, height: box.height * share, fill: this.read.fill });
    setText(this.counter, word("Read from memory: {bytes}", { bytes: bytesWords(scene.readings * this.bytes) }));
    place(this.counter, { x: 0, y: 1 * em });
  }

  drawRow(
    row: Row,
    i: number,
    {
      y,
      tall,
      gap,
      card,
      cardX,
      outX,
      from,
      em,
    }: { y: number; tall: number; gap: number; card: number; cardX: number; outX: number; from: number; em: number },
  ) {
    const { scene } = this;
    if (!scene) return;
    const share = scene.shares[i];
    const running = !scene.ended && share > 0 && share < 1 && (scene.joined === 0 || scene.joined === 1);
    const done = scene.ended || (share >= 1 && scene.joined < 1);
    place(row.stream, { x: from + 0.4 * em, y, width: cardX - from - 0.8 * em, height: tall + gap * scene.joined });
    place(row.stream, {
      fill: running ? this.moving.fill : this.still.fill,
      class: `stream ${running ? "running" : ""}`,
    });
    const room = Math.floor((card / em) * 1.6);
    const middle = y + tall / 2 + 0.35 * em;
    place(row.card, { x: cardX, y, width: card, height: tall, class: `stream-card ${running ? "reading" : ""}` });
    place(row.text, { x: cardX + card / 2, y: middle });
    setText(row.text, clipped(this.tokens[i] ?? "", room));
    place(row.arrow, { x: cardX + card + 0.85 * em, y: middle });
    place(row.outCard, { x: outX, y, width: card, height: tall, class: `stream-card out ${done ? "on" : ""}` });
    place(row.out, { x: outX + card / 2, y: middle });
    setText(row.out, clipped(this.tokens[i + 1] ?? "", room));
    for (const part of [row.arrow, row.out]) showPart(part, done);
  }

  drawTime(
    scene: StreamScene,
    { x0, x1, axisY, lane, em }: { x0: number; x1: number; axisY: number; lane: number; em: number },
  ) {
    const count = tokensIn(this.mode);
    const x = scaleLinear([0, count * this.times.one], [x0, x1]);
    const y = axisY - lane;
    place(this.axis, { d: `M${x0} ${axisY}H${x1}` });
    this.blocks.forEach((block, i) => {
      const span = scene.blocks[i];
      const to = span && scene.joined === 0 ? Math.min(span.to, scene.elapsed) : span?.to;
      const end = scene.joined === 1 ? scene.elapsed : (to ?? 0);
      const shown = Boolean(span) && end > span.from;
      place(block, { x: span ? x(span.from) : 0, y, width: shown ? Math.max(0, x(end) - x(span.from) - 2) : 0 });
      place(block, { height: lane - 0.2 * em });
    });
    this.ghosts.forEach((ghost, i) => {
      const shown = i < count;
      const from = i * this.times.one;
      place(ghost, {
        x: x(from),
        y,
        width: shown ? x(from + this.times.one) - x(from) - 2 : 0,
        height: lane - 0.2 * em,
      });
    });
    place(this.here, { x1: x(scene.elapsed), x2: x(scene.elapsed), y1: y - 0.2 * em, y2: axisY });
    setText(this.elapsed, scene.elapsed ? timeWords(scene.elapsed) : "");
    const before = x(scene.elapsed) > x1 - 5 * em;
    place(this.elapsed, { x: x(scene.elapsed) + (before ? -0.3 : 0.3) * em, y: y - 0.45 * em });
    place(this.elapsed, { class: `stream-elapsed ${before ? "before" : "after"}` });
    place(this.before, { x: x1, y: y - 0.45 * em });
    this.ticks.draw(x, { left: x0, lower: axisY, em }, 4);
  }
}
