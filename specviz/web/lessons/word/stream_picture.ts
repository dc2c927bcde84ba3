// The memory on the left, of which all is read once in a pass; the weights on their way to the tokens; the passes on a time axis.

import { scaleLinear } from "d3-scale";
import { place, shape } from "../../shared/dom.ts";
import { word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize } from "../common/drawing.ts";
import { bar, join, line, type Mark, path, text, ticksAcross } from "../common/marks.ts";
import { bytesWords, timeWords } from "../common/quantities.ts";
import type { ExplorableData, StreamMode } from "../lesson_types.ts";
import { type PassTimes, type StreamScene, tokensIn } from "./stream_timeline.ts";

/** The edge of a cell of the memory, in em, and how far the weights move while all of them are read. */
const CELL = 0.75;
const TRAVEL = 42;

const ROWS = 6;
const ROW_LEFT_OUT: Mark[] = [false, false, false, false, false, false];

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

/** Where the six rows stand: one for each token, with what the pass reads and what it writes. */
type Columns = { from: number; cardX: number; outX: number; card: number; em: number };

/** `tokens`: the one before the first, and one for each pass over a single token. */
type StreamView = Pick<ExplorableData, "costs" | "tokens"> & { mode: StreamMode; times: PassTimes; scene: StreamScene };

export class StreamPicture extends Picture<StreamView> {
  still = new Weights(this.svg, "weights still");
  read = new Weights(this.svg, "weights read");
  moving = new Weights(this.svg, "weights moving");

  draw(view: StreamView, { width, height, em }: PictureSize) {
    const { mode, scene, costs, tokens } = view;
    this.node.dataset.mode = mode;
    const count = tokensIn(mode);
    const card = Math.min(7.5 * em, 0.2 * width);
    const axisY = height - 1.7 * em;
    const [top, floor] = [1.5 * em, axisY - 3.3 * em];
    const memory = Math.min(9 * em, 0.24 * width);
    const share = scene.ended ? 1 : scene.readings % 1;
    const outX = width - card - 2;
    const columns = { from: memory, cardX: outX - card - 1.7 * em, outX, card, em };
    const gap = (count > 1 ? 0.5 : 0) * em;
    const tall = Math.min(4.5 * em, (floor - top - (count - 1) * gap) / count);
    const first = top + (floor - top - count * tall - (count - 1) * gap) / 2;
    for (const weights of [this.still, this.read]) weights.draw(CELL * em, 0, top);
    this.moving.draw(CELL * em, scene.readings * TRAVEL * em, first);
    const bytes = word("Read from memory: {bytes}", { bytes: bytesWords(scene.readings * costs.weights_bytes) });
    join(this.parts, [
      bar("memory", 0, memory, top, floor, this.still.fill),
      bar("memory-read", 0, memory, top, top + (floor - top) * share, this.read.fill),
      text("stream-counter", bytes, 0, em),
      ...Array.from({ length: ROWS }, (_, i) => {
        const y = first + i * (tall + gap);
        return i < count
          ? this.row(scene, tokens.slice(i, i + 2), i, y, tall, i < count - 1 ? gap : 0, columns)
          : ROW_LEFT_OUT;
      }).flat(),
      ...this.time(view, 0.2 * em, width - 0.2 * em, axisY, em),
    ]);
  }

  /** One token: the weights on their way to it, what the pass reads, and what it writes. */
  row(
    scene: StreamScene,
    tokens: string[],
    i: number,
    y: number,
    tall: number,
    gap: number,
    { from, cardX, outX, card, em }: Columns,
  ) {
    const share = scene.shares[i];
    const running = !scene.ended && share > 0 && share < 1 && (scene.joined === 0 || scene.joined === 1);
    const done = scene.ended || (share >= 1 && scene.joined < 1);
    const room = Math.floor((card / em) * 1.6);
    const [low, middle] = [y + tall, y + tall / 2 + 0.35 * em];
    const [fill, state] = running ? [this.moving.fill, "running"] : [this.still.fill, ""];
    const [read, written] = [0, 1].map((at) => clipped(tokens[at] ?? "", room));
    return [
      bar(`stream ${state}`, from + 0.4 * em, cardX - from - 0.8 * em, y, low + gap * scene.joined, fill),
      bar(`stream-card ${running ? "reading" : ""}`, cardX, card, y, low),
      text("stream-token", read, cardX + card / 2, middle),
      done && text("stream-arrow", "→", cardX + card + 0.85 * em, middle),
      bar(`stream-card out ${done ? "on" : ""}`, outX, card, y, low),
      done && text("stream-token out", written, outX + card / 2, middle),
    ];
  }

  /** The passes on the axis of time, from one x to another. */
  time({ scene, mode, times }: StreamView, from: number, to: number, axisY: number, em: number) {
    const { one } = times;
    const count = tokensIn(mode);
    const longest = count * one;
    const x = scaleLinear([0, longest], [from, to]);
    const [y, low] = [axisY - 1.5 * em, axisY - 0.2 * em];
    const here = x(scene.elapsed);
    const before = here > to - 5 * em;
    const all = word("six passes: {time}", { time: timeWords(longest) });
    return [
      path("axis frame-line", `M${from} ${axisY}H${to}`),
      ...Array.from({ length: ROWS }, (_, i) => {
        return i < count && bar("stream-ghost", x(i * one), x((i + 1) * one) - x(i * one) - 2, y, low);
      }),
      ...Array.from({ length: ROWS }, (_, i) => {
        const span = scene.blocks[i];
        if (!span) return false;
        const end = scene.joined === 1 || scene.joined === 0 ? Math.min(span.to, scene.elapsed) : span.to;
        return end > span.from && bar("stream-pass", x(span.from), x(end) - x(span.from) - 2, y, low);
      }),
      line("stream-here", here, y - 0.2 * em, here, axisY),
      text(
        `stream-elapsed ${before ? "before" : "after"}`,
        scene.elapsed ? timeWords(scene.elapsed) : "",
        here + (before ? -0.3 : 0.3) * em,
        y - 0.45 * em,
      ),
      mode === "six in one" && text("stream-elapsed before faint", all, to, y - 0.45 * em),
      ...ticksAcross(x.ticks(5), x, { lower: axisY, em }, timeOrZero, 4),
    ];
  }
}

const timeOrZero = (seconds: number) => (seconds ? timeWords(seconds) : "0");
