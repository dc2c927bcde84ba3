// p and q of each token as two bars that can be dragged. A frame is the probability itself; what fills it is what the rule makes of it:
// in q's frame what is drafted, accepted or rejected; in p's what comes out, by an accepted draft or drawn after a rejection.

import { place, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { fitted, Picture, placeBar, showPart } from "../common/drawing.ts";
import { Handle } from "../common/widgets.ts";
import type { Pairing, Procedure } from "../lesson_types.ts";
import { longRunOf, partsOf } from "./acceptance.ts";

const RANGE = { min: 0, max: 1, step: 0.01, page: 0.1 };

export type Side = "p" | "q";

/** What a bar that is dragged does. */
type BarActs = { begin: () => void; change: (side: Side, index: number, value: number) => void; end: () => void };

/** One bar: its frame, what fills it in two parts, its value, and the handle at its top. */
type Bar = {
  frame: SVGRectElement;
  low: SVGRectElement;
  high: SVGRectElement;
  value: SVGTextElement;
  letter: SVGTextElement;
  handle: Handle;
  grip: SVGRectElement;
  reach: SVGRectElement;
  ring: SVGRectElement;
};

type BarPlace = Record<"x" | "wide" | "em" | "lower" | "room" | "value" | "low" | "all", number> & {
  y: (value: number) => number;
};

export class PairBars {
  acts: BarActs;
  picture = new Picture("pair-bars", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  rejected: string = this.picture.hatching("rejected");
  redrawn: string = this.picture.hatching("residual");
  ground = shape("line", "axis");
  bars = shape("g");
  columns: { back: SVGRectElement; q: Bar; p: Bar }[] = [];
  shown: { pairing: Pairing; procedure: Procedure; lit: number } | null = null;
  /** The value at the upper end of the scale. */
  top = 1;
  /** The same when a bar was gripped: through a gesture it says which height is which value. Null between gestures. */
  grippedTop: number | null = null;

  constructor(acts: BarActs) {
    this.acts = acts;
    place(this.picture.svg, { role: "group", "aria-label": word("q of the draft and p of the target for each token") });
    this.picture.svg.append(this.bars, this.ground);
  }

  /** @param lit index of the token that is judged. */
  show(pairing: Pairing, procedure: Procedure, lit: number) {
    this.shown = { pairing, procedure, lit };
    if (this.columns.length !== pairing.tokens.length) this.build(pairing.tokens.length);
    const scale = scaleFor([...pairing.p, ...pairing.q, ...procedure.drawn, ...longRunOf(procedure)]);
    this.top = Math.max(scale, this.grippedTop ?? 0);
    this.picture.redraw();
  }

  build(count: number) {
    this.columns = Array.from({ length: count }, (_, index) => ({
      back: shape("rect", "lit-column"),
      q: this.barOf("q", index),
      p: this.barOf("p", index),
    }));
    const parts = this.columns.flatMap(({ back, q, p }) => [
      back,
      ...[q, p].flatMap((bar) => [bar.low, bar.high, bar.frame, bar.value, bar.letter, bar.handle.node]),
    ]);
    this.bars.replaceChildren(...parts);
  }

  barOf(side: Side, index: number): Bar {
    const [reach, grip, ring] = ["reach", "grip", "ring"].map((name) => shape("rect", name));
    const holder = shape("g", `bar-handle ${side}`, reach, grip, ring);
    const handle = new Handle(holder, RANGE, {
      valueAt: (event) => this.valueAt(event.clientY),
      begin: () => {
        this.grippedTop = this.top;
        this.acts.begin();
      },
      change: (value) => this.acts.change(side, index, value),
      end: () => {
        this.grippedTop = null;
        this.acts.end();
      },
    });
    const [low, high] = [shape("rect", "low"), shape("rect", `high ${side}`)];
    place(high, { fill: side === "q" ? this.rejected : this.redrawn });
    const [value, letter] = [shape("text", `bar-value ${side}`), shape("text", `bar-letter ${side}`, side)];
    return { frame: shape("rect", `frame ${side}`), low, high, value, letter, handle, grip, reach, ring };
  }

  /** @param y of the screen. */
  valueAt(y: number) {
    const { upper, lower } = this.edges();
    const box = this.picture.svg.getBoundingClientRect();
    return ((lower - (y - box.top)) / (lower - upper)) * (this.grippedTop ?? this.top);
  }

  edges() {
    const { height, em } = this.picture.size;
    return { upper: 1.9 * em, lower: height - 1.35 * em };
  }

  draw({ width, em }: { width: number; em: number }) {
    if (!this.shown) return;
    const { pairing, procedure, lit } = this.shown;
    const { upper, lower } = this.edges();
    const column = width / this.columns.length;
    const wide = Math.min(0.38 * column, 4 * em);
    const { accepted, redrawn } = partsOf(procedure);
    place(this.ground, { x1: 0, x2: width, y1: lower, y2: lower });
    this.columns.forEach(({ back, q, p }, i) => {
      const middle = (i + 0.5) * column;
      placeBar(back, i * column + 2, column - 4, 0, lower + 1.35 * em);
      showPart(back, i === lit);
      const name = word("“{text}”", { text: pairing.tokens[i] });
      const gap = Math.min(0.03 * column, 4);
      const y = (value: number): number => lower - (value / this.top) * (lower - upper);
      const room = (wide + gap) / em;
      const common = { em, wide, lower, y, room };
      drawBar(q, { ...common, x: middle - gap - wide, value: pairing.q[i], low: accepted[i], all: procedure.drawn[i] });
      drawBar(p, { ...common, x: middle + gap, value: pairing.p[i], low: accepted[i], all: accepted[i] + redrawn[i] });
      q.handle.show(word("q of {token}: the draft", { token: name }), pairing.q[i], fixed(pairing.q[i], 2));
      p.handle.show(word("p of {token}: the target", { token: name }), pairing.p[i], fixed(pairing.p[i], 2));
    });
  }
}

/** @param at `value` is the height of the frame, `low` and `all` those of what fills it. */
function drawBar(bar: Bar, { x, wide, em, lower, y, room, value, low, all }: BarPlace) {
  placeBar(bar.frame, x, wide, y(value), lower);
  placeBar(bar.low, x, wide, y(low), lower);
  placeBar(bar.high, x, wide, y(all), y(low));
  const top = y(value);
  place(bar.value, { x: x + wide / 2, y: top - 0.55 * em });
  const text = fitted(value, room);
  if (bar.value.textContent !== text) bar.value.textContent = text;
  place(bar.letter, { x: x + wide / 2, y: lower + em });
  placeBar(bar.grip, x + 0.15 * wide, 0.7 * wide, top - 3, top + 3);
  placeBar(bar.reach, x, wide, top - 1.2 * em, top + 1.2 * em);
  placeBar(bar.ring, x - 1, wide + 2, top - 0.45 * em, top + 0.45 * em);
}

const SCALES = [0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1];

/** The upper end of the scale: some room above the largest value, so that a bar can be dragged up. */
function scaleFor(values: number[]) {
  const most = Math.max(...values);
  return SCALES.find((end) => most <= 0.92 * end) ?? 1;
}
