// p and q of each token as two bars that can be dragged. A frame is the probability itself; what fills it is what the rule makes of it:
// in q's frame what is drafted, accepted or rejected; in p's what comes out, by an accepted draft or drawn after a rejection.

import { scaleLinear } from "d3-scale";
import { place, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { fitted, Picture, type PictureSize } from "../common/drawing.ts";
import * as mark from "../common/marks.ts";
import { Handle } from "../common/widgets.ts";
import type { Pairing, Procedure } from "../lesson_types.ts";
import { longRunOf, partsOf } from "./acceptance.ts";
import { withShare } from "./sampling.ts";

/** The upper ends that the scale can have. */
const SCALES = [0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1];
const RANGE = { min: 0, max: 1, step: 0.01 };

const SIDES = ["q", "p"] as const;

type Side = (typeof SIDES)[number];

/** `lit`: index of the token that is judged. */
type BarsView = { pairing: Pairing; procedure: Procedure; lit: number };

/** The sides of a bar, and the heights of its frame and of what fills it in two parts. */
type BarPlace = { x: number; wide: number; value: number; low: number; all: number };

export class PairBars extends Picture<BarsView> {
  fills = { q: this.hatching("rejected"), p: this.hatching("residual") };
  /** Token by token: what a bar is dragged by, over all bars. */
  handles: Record<Side, Handle>[];
  /** The value at the upper end of the scale. */
  top = 1;
  /** Since a bar was gripped: its scale, which says which height is which value, and p and q, of which the others keep their proportions. */
  gripped: { top: number; pairing: Pairing } | null = null;

  /** @param change is called with all shares of a side, `end` when a bar is let go */
  constructor(count: number, change: (side: Side, index: number, shares: number[]) => void, end: () => void) {
    super("pair-bars");
    const handleOf = (side: Side, index: number) =>
      new Handle(shape("g", `bar-handle ${side}`), RANGE, {
        valueAt: ({ clientY }) => this.scale().invert(clientY - this.svg.getBoundingClientRect().top),
        begin: () => {
          this.gripped = this.view && { top: this.top, pairing: this.view.pairing };
        },
        change: (value) => this.gripped && change(side, index, withShare(this.gripped.pairing[side], index, value)),
        end: () => {
          this.gripped = null;
          end();
        },
      });
    this.handles = Array.from({ length: count }, (_, index) => ({ q: handleOf("q", index), p: handleOf("p", index) }));
    place(this.svg, { role: "group", "aria-label": word("q of the draft and p of the target for each token") });
    this.svg.append(...this.handles.flatMap(({ q, p }) => [q.node, p.node]));
  }

  show(shown: BarsView) {
    const { pairing, procedure } = shown;
    const most = Math.max(...pairing.p, ...pairing.q, ...procedure.drawn, ...longRunOf(procedure));
    const top = SCALES.find((end) => most <= 0.92 * end) ?? 1; // some room above the largest value, so that a bar can be dragged up
    this.top = Math.max(top, this.gripped?.top ?? 0);
    this.redraw(shown);
  }

  scale(top = this.gripped?.top ?? this.top) {
    const { upper, lower } = this.edges(0, 0, 1.9, 1.35);
    return scaleLinear([0, top], [lower, upper]);
  }

  draw({ pairing, procedure, lit }: BarsView, { width, em }: PictureSize) {
    const { lower } = this.edges(0, 0, 1.9, 1.35);
    const column = width / this.handles.length;
    const wide = Math.min(0.38 * column, 4 * em);
    const gap = Math.min(0.03 * column, 4);
    const { accepted } = partsOf(procedure);
    const all = { q: procedure.drawn, p: longRunOf(procedure) };
    const columns = this.handles.flatMap((handles, i) => {
      const middle = (i + 0.5) * column;
      const token = word("“{text}”", { text: pairing.tokens[i] });
      handles.q.show(word("q of {token}: the draft", { token }), pairing.q[i], fixed(pairing.q[i], 2));
      handles.p.show(word("p of {token}: the target", { token }), pairing.p[i], fixed(pairing.p[i], 2));
      const left = { q: middle - gap - wide, p: middle + gap };
      const bars = SIDES.flatMap((side) => {
        const at = { x: left[side], wide, value: pairing[side][i], low: accepted[i], all: all[side][i] };
        return this.barOf(side, handles[side], at, wide + gap);
      });
      return [i === lit && mark.bar("lit-column", i * column + 2, column - 4, 0, lower + 1.35 * em), ...bars];
    });
    return [...columns, mark.line("axis", 0, lower, width, lower)];
  }

  /** @param room for its value, in pixels */
  barOf(side: Side, { node }: Handle, { x, wide, value, low, all }: BarPlace, room: number) {
    const { em } = this.size;
    const y = this.scale(this.top);
    const [top, lower] = [y(value), y(0)];
    mark.join(node, [
      mark.bar("reach", x, wide, top - 1.2 * em, top + 1.2 * em),
      mark.bar("grip", x + 0.15 * wide, 0.7 * wide, top - 3, top + 3),
      mark.bar("ring", x - 1, wide + 2, top - 0.45 * em, top + 0.45 * em),
    ]);
    return [
      mark.bar("low", x, wide, y(low), lower),
      mark.bar(`high ${side}`, x, wide, y(all), y(low), this.fills[side]),
      mark.bar(`frame ${side}`, x, wide, top, lower),
      mark.text(`bar-value ${side}`, fitted(value, room / em), x + wide / 2, top - 0.55 * em),
      mark.text(`bar-letter ${side}`, side, x + wide / 2, lower + em),
    ];
  }
}
