// The two time lanes, each a canvas that is drawn once for a run and a size. Its style shows of it what the engine has done by now bright, what has
// been played before pale, and what is still to come not before it is played or asked for.

import { el, isNew, setText, sizeOf } from "../shared/dom.ts";
import { NOBODY } from "../shared/drafter_text.ts";
import { axisMarks, clockWords, duration } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { type Box, boxesOf, laneEnds } from "./time_boxes.ts";

/** In CSS pixels, with a colour of the theme by its name; `seconds` of the engine for all of the width. */
type Sheet = { width: number; height: number; seconds: number; colour: (name: string) => string };

const DONE = 0.35;
/** A time needs so much room to its right, in letters. */
const ROOM = 2.4;

export class TimeLanes {
  changed: () => void;
  node: HTMLDivElement;
  names = [word("Plain"), word("Speculative")].map((name) => el("span", "", name));
  ends = { plain: el("span", "lane-end", ""), speculative: el("span", "lane-end", "") };
  canvases = [el("canvas"), el("canvas")];
  axis = el("div", { class: "lane-axis", "aria-hidden": "true" });
  picture = el(
    "div",
    { class: "lanes-picture", role: "img" },
    ...this.canvases.map((canvas) => el("div", "lane-time", canvas)),
    this.axis,
  );
  size = sizeOf(this.canvases[0], () => this.changed());
  /** Of the longer lane. */
  seconds = 0;
  /** Whether the future is shown all the same, and how far, in engine seconds, the run of this id has been played. */
  asked = false;
  played: { id: string | null; seconds: number } = { id: null, seconds: 0 };

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
    this.node = el("div", "lanes", names, this.picture, ends);
    const point = (event: PointerEvent) => {
      const box = this.picture.getBoundingClientRect();
      seek(((event.clientX - box.left) / Math.max(1, box.width)) * this.seconds);
    };
    this.picture.addEventListener("pointerdown", (event) => {
      this.picture.setPointerCapture(event.pointerId);
      point(event);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (this.picture.hasPointerCapture(event.pointerId)) point(event);
    });
  }

  /** Draw both lanes and their axis for a run, a size and a theme. */
  prepare(run: Run, theme: string | undefined, ratio: number) {
    const { width, height } = this.size;
    const { seconds } = this;
    const { rounds, plain, over, drafterText } = run;
    const drawn = [run.id, rounds.length, plain.ends.length, over, drafterText.name, drafterText.layers?.used];
    if (!width || !isNew(this, drawn, width, height, ratio, theme, seconds)) return;
    const alone = drafterText.name === NOBODY; // a plain run by itself has one lane
    setText(this.names[0], alone ? "" : word("Plain"));
    setText(this.names[1], alone ? word("Plain") : word("Speculative"));
    const style = getComputedStyle(this.node);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const boxes = boxesOf(run);
    this.canvases.forEach((canvas, lane) => {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
      pen.scale(ratio, ratio);
      for (const box of boxes) if (box.lane === lane) paintBox(pen, box, { width, height, seconds, colour });
    });
    const room = ROOM * Number.parseFloat(getComputedStyle(this.axis).fontSize);
    const marks = axisMarks(seconds).map(({ seconds: at, words }) => {
      const x = (at / seconds) * width;
      return el("span", { "--x": `${x}px` }, x + room < width ? words : "");
    });
    this.axis.replaceChildren(...marks);
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
    this.drawEnds(run, until === Infinity);
    const ratio = window.devicePixelRatio || 1;
    const { all } = laneEnds(run);
    this.seconds = all;
    this.prepare(run, theme, ratio);
    const { width } = this.size;
    /** On whole pixels of the screen. */
    const across = (seconds: number) =>
      all ? Math.min(width, Math.round((seconds / all) * width * ratio) / ratio) : 0;
    this.picture.style.setProperty("--until", `${until === Infinity ? width : across(until)}px`);
    this.picture.style.setProperty("--now", `${across(position.engine)}px`);
    this.picture.classList.toggle("begun", all > 0 && position.index >= 0);
  }

  /** @param complete whether the ends may be shown. */
  drawEnds(run: Run, complete: boolean) {
    const say = (words: string) => this.picture.setAttribute("aria-label", words);
    if (!complete) {
      for (const end of Object.values(this.ends)) setText(end, "");
      say(word("Time lanes of plain and speculative decoding, as far as they have been played"));
      return;
    }
    const { plain, speculative, all } = laneEnds(run);
    const words = (seconds: number) => (all >= 1 ? clockWords(seconds, all) : duration(seconds));
    const plainText = plain ? words(plain) : run.over ? word("not measured") : "…";
    const soFar = run.over || !plain ? "" : ` ${word("so far")}`;
    const own = words(speculative);
    // Above temperature 0 the texts differ, and so may their lengths: then the times alone would suggest another speedup.
    const differ = run.finished && plain > 0 && run.plain.ids.length !== run.ids.length;
    const long = (ids: number[]) => (differ ? `, ${several(ids.length, "{n} [token|tokens]")}` : "");
    setText(this.ends.plain, run.rounds.length ? `${plainText}${soFar}${long(run.plain.ids)}` : "");
    setText(this.ends.speculative, speculative ? `${own}${long(run.ids)}` : "");
    say(word("Time lanes: plain {plain}, speculative {own}", { plain: plainText, own }));
  }
}

function paintBox(pen: CanvasRenderingContext2D, box: Box, { width, height, seconds, colour }: Sheet) {
  const x = seconds > 0 ? (box.from / seconds) * width : 0;
  const w = seconds > 0 ? ((box.to - box.from) / seconds) * width : 0;
  const inset = w > 3 ? 0.5 : 0;
  const done = box.done ?? 0;
  const fill = (top: number, tall: number) => pen.fillRect(x + inset, top, Math.max(w - 2 * inset, 0.4), tall);
  pen.fillStyle = colour({ target: "--target", draft: "--draft", rest: "--line" }[box.kind]);
  if (box.kind === "rest") fill(height / 2 - 1, 2);
  else if (box.layers) {
    const { used, of } = box.layers;
    pen.fillStyle = colour("--target");
    for (const layer of used) fill((height * (of - 1 - layer)) / of, height / of);
    pen.fillStyle = colour("--draft");
    fill((height * (of - 1 - Math.max(...used))) / of, 2);
  } else {
    fill(0, height * (1 - done));
    pen.globalAlpha = DONE;
    if (done) fill(height * (1 - done), height * done);
    pen.globalAlpha = 1;
  }
  if (!box.ticks || w / box.ticks <= 3) return;
  pen.fillStyle = colour("--ground");
  for (let i = 1; i < box.ticks; i += 1) pen.fillRect(x + (w * i) / box.ticks - 0.4, 0, 0.8, height);
}
