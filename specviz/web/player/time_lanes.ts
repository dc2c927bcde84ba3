// The two time lanes on a canvas. What the engine has done by now is bright; what has been played before is pale; what is still to come
// is not there until it is played or asked for.

import { el, penOf, setText, sizeOf } from "../shared/dom.ts";
import { NOBODY } from "../shared/drafter_text.ts";
import { axisMarks, clockWords, duration } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { type Box, boxesOf, laneEnds } from "./time_boxes.ts";

/** In CSS pixels: the size of the picture, the height of a lane, of the room above it for its name, of the axis and of its letters. */
type Sheet = { width: number; height: number; lane: number; head: number; axis: number; type: number } & {
  /** Pixels of the canvas for one of CSS. */
  ratio: number;
  /** A colour of the theme; the two that a frame needs are read once, since reading styles the page. */
  colour: (name: string) => string;
  ink: string;
  line: string;
};

const GAP = 4;
const PALE = 0.22;
const DONE = 0.35;

export class TimeLanes {
  changed: () => void;
  node: HTMLDivElement;
  canvas = el("canvas", { class: "lanes-picture", role: "img" });
  names = [word("Plain"), word("Speculative")].map((name) => el("span", "", name));
  ends = { plain: el("span", "lane-end", ""), speculative: el("span", "lane-end", "") };
  layers = { pale: el("canvas"), bright: el("canvas") };
  size = sizeOf(this.canvas);
  key = "";
  seconds = 0;
  /** Whether the future is shown all the same, and how far, in engine seconds, the run of this id has been played. */
  asked = false;
  played: { id: string | null; seconds: number } = { id: null, seconds: 0 };
  sheet: Sheet | null = null;

  /**
   * @param seek called with engine seconds when a moment is pointed at.
   * @param changed called when it must be drawn again.
   */
  constructor(seek: (seconds: number) => void, changed: () => void) {
    this.changed = changed;
    explain(
      this.names[1],
      word(
        "Recorded times of every pass, on the engine's clock. Drafting is one measured block; its ticks divide it evenly.",
      ),
    );
    const names = el("div", "lane-names", ...this.names);
    const ends = el("div", "lane-ends", this.ends.plain, this.ends.speculative);
    this.node = el("div", "lanes", names, this.canvas, ends);
    const point = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      seek(((event.clientX - box.left) / Math.max(1, box.width)) * this.seconds);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      point(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  /** The two layers are drawn once for a run, a size and a theme; a frame only copies parts of them. Null before there is a size. */
  prepare(run: Run, theme: string | undefined) {
    const ratio = window.devicePixelRatio || 1;
    const width = this.size.width;
    const height = Math.round(this.size.height * ratio) / ratio; // full pixels: the future must not show in half of one
    const { all } = laneEnds(run);
    const { rounds, plain, over, drafterText } = run;
    const drawn = [run.id, rounds.length, plain.ends.length, over, drafterText.name, drafterText.layers?.used];
    const key = [...drawn, width, height, ratio, theme, all].join();
    if (key === this.key || !width) return width ? this.sheet : null;
    this.key = key;
    this.seconds = all;
    const alone = run.drafterText.name === NOBODY; // a plain run by itself has one lane
    setText(this.names[0], alone ? "" : word("Plain"));
    setText(this.names[1], alone ? word("Plain") : word("Speculative"));
    const boxes = boxesOf(run);
    const style = getComputedStyle(this.node);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const type = parseFloat(getComputedStyle(this.canvas).fontSize);
    const axis = Math.ceil(1.4 * type);
    const head = parseFloat(style.rowGap) || 0;
    const lane = (height - axis - GAP - 2 * head) / 2;
    const colours = { colour, ink: colour("--ink"), line: colour("--line") };
    const sheet = { width, height, ratio, lane, head, axis, type, ...colours };
    for (const canvas of [this.layers.pale, this.layers.bright, this.canvas]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      if (canvas === this.canvas) continue;
      const pen = penOf(canvas);
      pen.scale(ratio, ratio);
      for (const box of boxes) paintBox(pen, box, sheet, all, canvas === this.layers.bright ? 1 : PALE);
      pen.globalAlpha = 1;
      if (all) paintAxis(pen, sheet, all);
    }
    this.sheet = sheet;
    return sheet;
  }

  /** Show what is still to come, or hide it again. */
  toggleAhead() {
    this.asked = !this.asked;
    this.changed();
  }

  /**
   * Until which second of the engine's clock the lanes are shown: as far as the run has been played, all of them once it has been played
   * to its end. Who predicts sees nothing further than this moment.
   */
  shownUntil(run: Run, position: Position, predicting: boolean) {
    if (this.played.id !== run.id) this.played = { id: run.id, seconds: 0 };
    const ended = position.ended && (run.complete || run.over);
    this.played.seconds = Math.max(this.played.seconds, ended ? Infinity : position.engine);
    if (this.asked || ended) return Infinity;
    return predicting ? position.engine : this.played.seconds;
  }

  draw(run: Run, position: Position, { theme, predicting }: { theme: string | undefined; predicting: boolean }) {
    const until = this.shownUntil(run, position, predicting);
    const complete = until === Infinity;
    this.drawEnds(run, complete);
    const sheet = this.prepare(run, theme);
    if (!sheet) return;
    const { ratio } = sheet;
    const pen = penOf(this.canvas);
    const { width, height } = this.canvas;
    const across = (seconds: number) =>
      this.seconds ? Math.min(width, Math.round((seconds / this.seconds) * width)) : 0;
    const playedPx = complete ? width : across(until);
    const foot = Math.floor(sheet.axis * ratio);
    pen.clearRect(0, 0, width, height);
    if (playedPx > 0) pen.drawImage(this.layers.pale, 0, 0, playedPx, height, 0, 0, playedPx, height);
    pen.fillStyle = sheet.line;
    for (const lane of playedPx < width ? [0, 1] : []) {
      const middle = topOf(lane, sheet) + sheet.lane / 2;
      pen.fillRect(playedPx, (middle - 1) * ratio, width - playedPx, 2 * ratio); // not played yet
    }
    pen.drawImage(this.layers.pale, 0, height - foot, width, foot, 0, height - foot, width, foot);
    if (!this.seconds || position.index < 0) return;
    const x = across(position.engine);
    if (x > 0) pen.drawImage(this.layers.bright, 0, 0, x, height - foot, 0, 0, x, height - foot);
    pen.fillStyle = sheet.ink;
    const tall = sheet.lane + (sheet.head ? 0 : GAP); // the gap between the lanes is bridged unless names stand there
    for (const lane of [0, 1])
      pen.fillRect(Math.min(x, width - 2 * ratio), topOf(lane, sheet) * ratio, 2 * ratio, tall * ratio);
  }

  /** @param complete whether the ends may be shown. */
  drawEnds(run: Run, complete: boolean) {
    const say = (words: string) => this.canvas.setAttribute("aria-label", words);
    if (!complete) {
      for (const end of Object.values(this.ends)) setText(end, "");
      say(word("Time lanes of plain and speculative decoding, as far as they have been played"));
      return;
    }
    const { plain, speculative, all } = laneEnds(run);
    const words = (seconds: number) => (all >= 1 ? clockWords(seconds, all) : duration(seconds));
    const plainText = plain ? words(plain) : run.over ? word("not measured") : word("not yet known");
    const soFar = run.over || !plain ? "" : ` ${word("so far")}`;
    const own = words(speculative);
    setText(this.ends.plain, run.rounds.length ? `${plainText}${soFar}` : "");
    setText(this.ends.speculative, speculative ? own : "");
    say(word("Time lanes: plain {plain}, speculative {own}", { plain: plainText, own }));
  }
}

/** Where a lane begins. */
function topOf(lane: number, { lane: tall, head }: Sheet) {
  return head + lane * (tall + GAP + head);
}

/** @param seconds the end of the longer lane. */
function paintBox(pen: CanvasRenderingContext2D, box: Box, sheet: Sheet, seconds: number, alpha: number) {
  const { width, lane, colour } = sheet;
  const x = seconds > 0 ? (box.from / seconds) * width : 0;
  const w = seconds > 0 ? ((box.to - box.from) / seconds) * width : 0;
  const y = topOf(box.lane, sheet);
  const inset = w > 3 ? 0.5 : 0;
  const done = box.done ?? 0;
  const fill = (top: number, tall: number) => pen.fillRect(x + inset, y + top, Math.max(w - 2 * inset, 0.4), tall);
  pen.globalAlpha = alpha;
  pen.fillStyle = colour({ target: "--target", draft: "--draft", rest: "--line" }[box.kind]);
  if (box.kind === "rest") fill(lane / 2 - 1, 2);
  else if (box.layers) {
    const { used, of } = box.layers;
    pen.fillStyle = colour("--target");
    for (const layer of used) fill((lane * (of - 1 - layer)) / of, lane / of);
    pen.fillStyle = colour("--draft");
    fill((lane * (of - 1 - Math.max(...used))) / of, 2);
  } else {
    fill(0, lane * (1 - done));
    pen.globalAlpha = DONE * alpha;
    if (done) fill(lane * (1 - done), lane * done);
    pen.globalAlpha = alpha;
  }
  if (!box.ticks || w / box.ticks <= 3) return;
  pen.fillStyle = colour("--ground");
  for (let i = 1; i < box.ticks; i += 1) pen.fillRect(x + (w * i) / box.ticks - 0.4, y, 0.8, lane);
}

function paintAxis(pen: CanvasRenderingContext2D, { width, height, axis, type, colour }: Sheet, seconds: number) {
  pen.fillStyle = colour("--faint");
  pen.font = `${type}px ${colour("--mono") || "monospace"}`;
  pen.textAlign = "center";
  for (const mark of axisMarks(seconds)) {
    const x = (mark.seconds / seconds) * width;
    pen.fillRect(x, height - axis, 1, 4);
    if (x + 2.4 * type < width) pen.fillText(mark.words, x, height - 0.5);
  }
}
