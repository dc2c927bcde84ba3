// The two time lanes on a canvas. What the engine has done by now is bright, the rest pale.

/** @import { Position, Run } from "./types" */
/** @import { Box } from "./boxes.js" */

import { boxesOf, laneEnds, markStep } from "./boxes.js";
import { el, penOf, setText, sizeOf } from "./dom.js";
import { milliseconds, number } from "./labels.js";

/**
 * What the painting needs: the size in CSS pixels, the height of a lane and of the axis, and the colours of the theme.
 * @typedef {{ width: number, height: number, lane: number, axis: number, type: number, bright: boolean, colour: (name: string) => string }} Sheet
 */

const GAP = 4;
const PALE = 0.22;
const DONE = 0.35;

export class Lanes {
  /** @param {(seconds: number) => void} seek called with engine seconds when a moment is pointed at. */
  constructor(seek) {
    this.node = el("div", "lanes");
    this.canvas = el("canvas", "lanes-picture");
    this.canvas.setAttribute("role", "img");
    this.canvas.title =
      "Recorded times of every pass, on the engine's clock. Drafting is one measured block; its ticks divide it evenly.";
    const names = el("div", "lane-names");
    names.append(...["Plain", "Speculative"].map((name) => el("span", "", name)));
    const ends = el("div", "lane-ends");
    this.ends = { plain: el("span", "lane-end", ""), speculative: el("span", "lane-end", "") };
    ends.append(this.ends.plain, this.ends.speculative);
    this.node.append(names, this.canvas, ends);
    this.layers = { pale: document.createElement("canvas"), bright: document.createElement("canvas") };
    this.size = sizeOf(this.canvas);
    this.key = "";
    this.seconds = 0;
    this.ratio = 1;
    this.foot = 0;
    this.ink = "";
    /** @param {PointerEvent} event */
    const point = (event) => {
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

  /**
   * The two layers are drawn once for a run, a size and a theme; a frame only copies parts of them. Returns whether they are there.
   * @param {Run} run
   * @param {string | undefined} theme
   */
  prepare(run, theme) {
    const { width, height } = this.size;
    const ratio = window.devicePixelRatio || 1;
    const { all } = laneEnds(run);
    const drawn = [
      run.id,
      run.rounds.length,
      run.plain.ends.length,
      run.over,
      run.manner.name,
      run.manner.layers?.used,
    ];
    const key = [...drawn, width, height, ratio, theme, all].join();
    if (key === this.key || !width) return Boolean(width);
    this.key = key;
    this.seconds = all;
    const boxes = boxesOf(run);
    const style = getComputedStyle(this.node);
    /** @param {string} name */
    const colour = (name) => style.getPropertyValue(name).trim();
    const type = parseFloat(colour("--axis")) || 10;
    const axis = type + 4;
    const lane = (height - axis - GAP) / 2;
    for (const layer of /** @type {const} */ (["pale", "bright"])) {
      const canvas = this.layers[layer];
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      const pen = penOf(canvas);
      pen.scale(ratio, ratio);
      this.paint(pen, boxes, { width, height, lane, axis, type, bright: layer === "bright", colour });
    }
    this.canvas.width = this.layers.pale.width;
    this.canvas.height = this.layers.pale.height;
    this.ink = colour("--ink");
    this.foot = type + 2;
    this.ratio = ratio;
    return true;
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Box[]} boxes
   * @param {Sheet} sheet
   */
  paint(pen, boxes, sheet) {
    for (const box of boxes) paintBox(pen, box, sheet, this.seconds);
    pen.globalAlpha = 1;
    if (this.seconds) paintAxis(pen, sheet, this.seconds);
  }

  /**
   * @param {Run} run
   * @param {Position} position
   * @param {string | undefined} theme
   */
  draw(run, position, theme) {
    this.drawEnds(run);
    if (!this.prepare(run, theme)) return;
    const pen = penOf(this.canvas);
    const { width, height } = this.canvas;
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.layers.pale, 0, 0);
    if (!this.seconds || position.index < 0) return;
    const x = Math.min(width, Math.round((position.engine / this.seconds) * width));
    if (x > 0) pen.drawImage(this.layers.bright, 0, 0, x, height, 0, 0, x, height);
    pen.fillStyle = this.ink;
    pen.fillRect(Math.min(x, width - 2 * this.ratio), 0, 2 * this.ratio, height - this.foot * this.ratio);
  }

  /** @param {Run} run */
  drawEnds(run) {
    const { plain, speculative } = laneEnds(run);
    const plainText = plain ? milliseconds(plain) : run.over ? "not measured" : "not yet known";
    const soFar = run.replanned ? ", estimate" : run.over || !plain ? "" : " so far";
    const own = `${milliseconds(speculative)}${run.replanned ? ", estimate" : ""}`;
    setText(this.ends.plain, run.rounds.length ? `${plainText}${soFar}` : "");
    setText(this.ends.speculative, speculative ? own : "");
    this.canvas.setAttribute("aria-label", `Time lanes: plain ${plainText}, speculative ${milliseconds(speculative)}`);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Box} box
 * @param {Sheet} sheet
 * @param {number} seconds the end of the longer lane.
 */
function paintBox(pen, box, { width, lane, bright, colour }, seconds) {
  const x = seconds > 0 ? (box.from / seconds) * width : 0;
  const w = seconds > 0 ? ((box.to - box.from) / seconds) * width : 0;
  const y = box.lane * (lane + GAP);
  const inset = w > 3 ? 0.5 : 0;
  const alpha = bright ? 1 : PALE;
  const done = box.done ?? 0;
  /** @type {(top: number, tall: number) => void} */
  const fill = (top, tall) => pen.fillRect(x + inset, y + top, Math.max(w - 2 * inset, 0.4), tall);
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

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Sheet} sheet
 * @param {number} seconds
 */
function paintAxis(pen, { width, height, axis, type, colour }, seconds) {
  pen.fillStyle = colour("--faint");
  pen.font = `${type}px ${colour("--mono") || "monospace"}`;
  pen.textAlign = "center";
  const step = markStep(seconds);
  for (let s = step; s < seconds; s += step) {
    const x = (s / seconds) * width;
    pen.fillRect(x, height - axis, 1, 4);
    const text = step >= 1 ? `${number(s, 0)} s` : `${number(s * 1000, step < 0.001 ? 1 : 0)} ms`;
    if (x + 2.4 * type < width) pen.fillText(text, x, height - 0.5);
  }
}
