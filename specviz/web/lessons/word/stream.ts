// All weights go past one token, past six tokens one after the other, and past six at once: on the left the memory, of which all is read once in a pass;
// the weights on their way to the tokens; below, the passes on a time axis.

import { scaleLinear } from "d3-scale";
import { place, shape } from "../../shared/dom.ts";
import { duration } from "../../shared/labels.ts";
import { english, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf, Replay, Sentence, textOf } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import type { ExplorableData, StreamMode } from "../lesson_types.ts";
import * as stream from "./stream_scene.ts";

/** The edge of a cell of the memory, in em, and how far the weights move while all of them are read. */
const CELL = 0.75;
const TRAVEL = 42;

const ROWS = Array.from({ length: 6 }, (_, i) => i);

let patterns = 0;

/** A pattern of small squares, some of them darker: weights. */
function weightsIn(svg: SVGElement, kind: string) {
  const cells = Array.from({ length: 16 }, (_, i) => {
    const at = { x: i % 4, y: Math.floor(i / 4), width: 0.8, height: 0.8 };
    return shape("rect", { class: `weight of-${(i * 7 + (i >> 2) * 3) % 4}`, ...at });
  });
  const id = `weights-${++patterns}`;
  const units = { patternUnits: "userSpaceOnUse", width: 4, height: 4 };
  const pattern = shape("pattern", { class: `weights ${kind}`, id, ...units }, ...cells);
  svg.append(pattern);
  const moveTo = (across: number, down: number, cell: number) =>
    place(pattern, { patternTransform: `translate(${across} ${down}) scale(${cell})` });
  return { fill: `url(#${id})`, moveTo };
}

/** `tokens`: the one before the first, and one for each pass over a single token. */
type StreamView = Pick<ExplorableData, "costs" | "tokens"> & {
  mode: StreamMode;
  times: stream.PassTimes;
  scene: stream.StreamScene;
};

class StreamPicture extends Picture<StreamView> {
  still = weightsIn(this.svg, "still");
  read = weightsIn(this.svg, "read");
  moving = weightsIn(this.svg, "moving");

  draw(view: StreamView, { width, height, em }: PictureSize) {
    const { mode, scene, costs } = view;
    this.node.dataset.mode = mode;
    const count = stream.tokensIn(mode);
    const axisY = height - 1.7 * em;
    const [top, floor] = [1.5 * em, axisY - 3.3 * em];
    const memory = Math.min(9 * em, 0.24 * width);
    const share = scene.ended ? 1 : scene.readings % 1;
    const gap = (count > 1 ? 0.5 : 0) * em;
    const tall = Math.min(4.5 * em, (floor - top - (count - 1) * gap) / count);
    const first = top + (floor - top - count * tall - (count - 1) * gap) / 2;
    for (const weights of [this.still, this.read]) weights.moveTo(0, top, CELL * em);
    this.moving.moveTo(scene.readings * TRAVEL * em, first, CELL * em);
    const bytes = stream.bytesWords(scene.readings * costs.weights_bytes);
    return [
      mark.bar("memory", 0, memory, top, floor, this.still.fill),
      mark.bar("memory-read", 0, memory, top, top + (floor - top) * share, this.read.fill),
      mark.text("stream-counter", word("Read from memory: {bytes}", { bytes }), 0, em),
      ...ROWS.flatMap((i) => {
        const y = first + i * (tall + gap);
        const joint = i < count - 1 ? gap * scene.joined : 0;
        return this.row(view, i, memory, y, y + tall, joint).map((part) => i < count && part);
      }),
      ...this.time(view, 0.2 * em, width - 0.2 * em, axisY),
    ];
  }

  /** One token: the weights on their way to it, what the pass reads, and what it writes. `joint`: how far they reach to the next token. */
  row({ scene, tokens }: StreamView, i: number, from: number, y: number, low: number, joint: number) {
    const { width, em } = this.size;
    const card = Math.min(7.5 * em, 0.2 * width);
    const outX = width - card - 2;
    const cardX = outX - card - 1.7 * em;
    const share = scene.shares[i];
    const running = !scene.ended && share > 0 && share < 1 && (scene.joined === 0 || scene.joined === 1);
    const done = scene.ended || (share >= 1 && scene.joined < 1);
    const room = Math.floor((card / em) * 1.6);
    const middle = (y + low) / 2 + 0.35 * em;
    const [fill, state] = running ? [this.moving.fill, "running"] : [this.still.fill, ""];
    const [read, written] = [i, i + 1].map((at) => clipped(tokens[at] ?? "", room));
    return [
      mark.bar(`stream ${state}`, from + 0.4 * em, cardX - from - 0.8 * em, y, low + joint, fill),
      mark.bar(`stream-card ${running ? "reading" : ""}`, cardX, card, y, low),
      mark.text("stream-token", read, cardX + card / 2, middle),
      done && mark.text("stream-arrow", "→", cardX + card + 0.85 * em, middle),
      mark.bar(`stream-card out ${done ? "on" : ""}`, outX, card, y, low),
      done && mark.text("stream-token out", written, outX + card / 2, middle),
    ];
  }

  /** The passes on the axis of time, from one x to another. */
  time({ scene, mode, times: { one } }: StreamView, from: number, to: number, axisY: number) {
    const { em } = this.size;
    const count = stream.tokensIn(mode);
    const longest = count * one;
    const x = scaleLinear([0, longest], [from, to]);
    const [y, low] = [axisY - 1.5 * em, axisY - 0.2 * em];
    const here = x(scene.elapsed);
    const before = here > to - 5 * em;
    const all = word("six passes: {time}", { time: duration(longest) });
    const elapsed = scene.elapsed ? duration(scene.elapsed) : "";
    const block = (kind: string, start: number, end: number) => mark.bar(kind, x(start), x(end) - x(start) - 2, y, low);
    return [
      mark.path("axis frame-line", `M${from} ${axisY}H${to}`),
      ...ROWS.map((i) => i < count && block("stream-ghost", i * one, (i + 1) * one)),
      ...ROWS.map((i) => {
        const span = scene.blocks[i];
        if (!span) return false;
        const end = scene.joined === 1 || scene.joined === 0 ? Math.min(span.to, scene.elapsed) : span.to;
        return end > span.from && block("stream-pass", span.from, end);
      }),
      mark.line("stream-here", here, y - 0.2 * em, here, axisY),
      mark.text(
        `stream-elapsed ${before ? "before" : "after"}`,
        elapsed,
        here + (before ? -0.3 : 0.3) * em,
        y - 0.45 * em,
      ),
      mode === "six in one" && mark.text("stream-elapsed before faint", all, to, y - 0.45 * em),
      ...mark.ticksAcross(x.ticks(5), x, { lower: axisY, em }, (seconds) => (seconds ? duration(seconds) : "0"), 4),
    ];
  }
}

export const mountStream = mountOf(english("Weights on their way through a pass"), (body) => {
  const [sentence, picture] = [new Sentence(), new StreamPicture("stream-picture")];
  let shown: Omit<StreamView, "scene"> | null = null;
  const replay = new Replay(body, (clock) => {
    if (!shown) return true;
    const { mode, costs, times } = shown;
    const scene = stream.sceneAt(mode, times, clock);
    const parts = stream.streamParts(mode, costs, times);
    sentence.say(parts);
    picture.present({ ...shown, scene }, textOf(parts));
    return scene.ended;
  });
  body.classList.add("measured-body");
  body.append(sentence.node, picture.node, replay.node);
  return {
    show: ({ picture, costs, tokens }) => {
      const mode = picture as StreamMode;
      const secondsOf = (n: number) => costs.points.find((point) => point.tokens === n)?.pass_s ?? 0;
      const times = { one: secondsOf(1), many: secondsOf(6) };
      shown = { mode, costs, tokens, times };
      replay.begin(stream.streamEnd(mode, times));
    },
    note: () => (shown ? stream.streamNote(shown.mode, shown.costs, shown.times) : ""),
  };
});
