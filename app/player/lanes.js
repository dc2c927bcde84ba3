// Two lanes on one clock, drawn from the recorded times: plain decoding, one long pass a token, and speculative decoding,
// short draft passes and one target pass a round. What the engine has done by now is bright, the rest pale.

const LANES = ["plain", "speculative"];

// Every pass as a box: lane, kind, begin and end in engine seconds. Drafting is one measured block, so its k ticks are
// equal parts of it and not measurements of their own.
// Where the target drafts for itself a draft box takes only the share of the lane that its layers are of the target's, and
// what an early exit has left is not gone through again by the pass behind it.
function boxesOf(run) {
  const boxes = [];
  const { kind, layers } = run.manner;
  const part = layers ? { share: layers.used / layers.all, bands: kind === "layer-skip" ? layers.used : 1 } : null;
  const done = part && kind === "early-exit" ? part.share : 0;
  let before = 0;
  for (const end of run.plainEnds) {
    boxes.push({ lane: 0, kind: "target", from: before, to: end });
    before = end;
  }
  for (const round of run.rounds) {
    const verifyAt = round.began + round.draft;
    if (round.draft > 0 && round.drafted.length) boxes.push({ lane: 1, kind: "draft", from: round.began, to: verifyAt, ticks: round.drafted.length, ...part });
    boxes.push({ lane: 1, kind: "target", from: verifyAt, to: verifyAt + round.verify, done: round.drafted.length ? done : 0 });
    boxes.push({ lane: 1, kind: "rest", from: verifyAt + round.verify, to: round.ended });
  }
  return boxes;
}

function laneEnds(run) {
  const plain = run.plainEnds.length ? run.plainEnds[run.plainEnds.length - 1] : 0;
  const speculative = run.rounds.length ? run.rounds[run.rounds.length - 1].ended : 0;
  return { plain, speculative, all: Math.max(plain, speculative) };
}

// Seconds between two marks of the axis: 1, 2 or 5 of some power of ten, about six marks in all.
function markStep(seconds) {
  const raw = Math.max(seconds, 1e-6) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
}

class Lanes {
  // `seek` is called with engine seconds when a place is pointed at.
  constructor(seek) {
    this.node = el("div", "lanes");
    this.canvas = el("canvas", "lanes-picture");
    this.canvas.setAttribute("role", "img");
    this.canvas.title = "Recorded times of every pass, on the engine's clock. Drafting is one measured block; its ticks divide it evenly.";
    this.names = el("div", "lane-names");
    this.ends = el("div", "lane-ends");
    this.endNodes = LANES.map(() => el("span", "lane-end", ""));
    this.names.append(...["Plain", "Speculative"].map((name) => el("span", "", name)));
    this.ends.append(...this.endNodes);
    this.node.append(this.names, this.canvas, this.ends);
    this.layers = {};
    this.size = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => {
      this.size = { width: entry.contentRect.width, height: entry.contentRect.height };
    }).observe(this.canvas);
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

  // The two layers are drawn once for a run, a size and a theme; a frame only copies parts of them.
  prepare(run, theme) {
    const { width, height } = this.size;
    const ratio = window.devicePixelRatio || 1;
    const key = [run.id, run.rounds.length, run.plainEnds.length, run.over, run.manner.kind, run.manner.layers ? 1 : 0, width, height, ratio, theme, laneEnds(run).all].join();
    if (key === this.key || !width) return Boolean(width);
    this.key = key;
    this.seconds = laneEnds(run).all;
    const boxes = boxesOf(run);
    const style = getComputedStyle(this.node);
    const colour = (name) => style.getPropertyValue(name).trim();
    for (const layer of ["pale", "bright"]) {
      const canvas = this.layers[layer] || (this.layers[layer] = document.createElement("canvas"));
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      const pen = canvas.getContext("2d");
      pen.scale(ratio, ratio);
      this.paint(pen, boxes, { width, height, bright: layer === "bright", colour });
    }
    this.canvas.width = this.layers.pale.width;
    this.canvas.height = this.layers.pale.height;
    this.ink = colour("--ink");
    this.foot = (parseFloat(colour("--axis")) || 10) + 2;
    this.ratio = ratio;
    return true;
  }

  paint(pen, boxes, { width, height, bright, colour }) {
    const type = parseFloat(colour("--axis")) || 10;
    const axis = type + 4, gap = 4;
    const lane = (height - axis - gap) / 2;
    const at = (seconds) => (this.seconds > 0 ? (seconds / this.seconds) * width : 0);
    const inks = { target: colour("--target"), draft: colour("--draft"), rest: colour("--line") };
    for (const box of boxes) {
      const x = at(box.from), w = at(box.to) - x, y = box.lane * (lane + gap);
      const inset = w > 3 ? 0.5 : 0;
      const alpha = bright ? 1 : 0.22;
      pen.globalAlpha = alpha;
      pen.fillStyle = inks[box.kind];
      const fill = (top, tall) => pen.fillRect(x + inset, y + top, Math.max(w - 2 * inset, 0.4), tall);
      if (box.kind === "rest") fill(lane / 2 - 1, 2);
      else if (box.share) this.paintPart(pen, fill, box, { lane, inks });
      else {
        fill(0, lane * (1 - (box.done || 0)));
        pen.globalAlpha = 0.35 * alpha;
        if (box.done) fill(lane * (1 - box.done), lane * box.done);
        pen.globalAlpha = alpha;
      }
      if (box.ticks && w / box.ticks > 3) {
        pen.fillStyle = colour("--ground");
        for (let i = 1; i < box.ticks; i += 1) pen.fillRect(x + (w * i) / box.ticks - 0.4, y, 0.8, lane);
      }
    }
    pen.globalAlpha = 1;
    if (!this.seconds) return;
    pen.fillStyle = colour("--faint");
    pen.font = `${type}px ${colour("--mono") || "monospace"}`;
    const step = markStep(this.seconds);
    for (let s = step; s < this.seconds; s += step) {
      pen.fillRect(at(s), height - axis, 1, 4);
      const text = step >= 1 ? `${number(s, 0)} s` : `${number(s * 1000, step < 0.001 ? 1 : 0)} ms`;
      pen.textAlign = "center";
      if (at(s) + 2.4 * type < width) pen.fillText(text, at(s), height - 0.5);
    }
  }

  // A draft pass through some of the target's layers: its first ones as a lower bar, a selection of them as bands.
  paintPart(pen, fill, { share, bands }, { lane, inks }) {
    pen.fillStyle = inks.target;
    if (bands === 1) {
      fill(lane * (1 - share), lane * share);
      pen.fillStyle = inks.draft;
      fill(lane * (1 - share), 2);
      return;
    }
    for (let i = 0; i < bands; i += 1) fill((lane * (i + (1 - share) / 2)) / bands, (lane * share) / bands);
    pen.fillStyle = inks.draft;
    fill(0, 2);
  }

  draw(run, position, theme) {
    const ends = laneEnds(run);
    const ratio = run.plainDone && ends.speculative > 0 ? figuresAt(run, { index: run.rounds.length - 1, joined: true, ended: true }).speedup : null;
    const plainText = ends.plain ? milliseconds(ends.plain) : run.over ? "not measured" : "comes next";
    setText(this.endNodes[0], run.rounds.length ? `${plainText}${run.replanned ? ", priced" : run.over || !ends.plain ? "" : " so far"}` : "");
    setText(this.endNodes[1], ends.speculative ? `${milliseconds(ends.speculative)}${ratio === null ? "" : ` · ${number(ratio, 2)}×`}${run.replanned ? ", replanned" : ""}` : "");
    this.canvas.setAttribute("aria-label", `Time lanes: plain ${plainText}, speculative ${milliseconds(ends.speculative)}`);
    if (!this.prepare(run, theme)) return;
    const pen = this.canvas.getContext("2d");
    const { width, height } = this.canvas;
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.layers.pale, 0, 0);
    if (!this.seconds || position.index < 0) return;
    const x = Math.min(width, Math.round((position.engine / this.seconds) * width));
    if (x > 0) pen.drawImage(this.layers.bright, 0, 0, x, height, 0, 0, x, height);
    pen.fillStyle = this.ink;
    pen.fillRect(Math.min(x, width - 2 * this.ratio), 0, 2 * this.ratio, height - this.foot * this.ratio);
  }
}
