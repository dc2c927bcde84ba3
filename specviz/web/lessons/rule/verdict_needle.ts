// One drafted token is judged: u as a needle on the stretch of acceptance, and below it what is drawn from after a rejection.

import { el, place, setText, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize, placeBar } from "../common/drawing.ts";
import { bar, join, path, text } from "../common/marks.ts";
import { Handle } from "../common/widgets.ts";
import type { Pairing, Procedure } from "../lesson_types.ts";
import { tokenAt } from "./sampling.ts";

const UNIFORM = { min: 0, max: 0.999, step: 0.001, page: 0.1 };

type JudgedToken = {
  pairing: Pairing;
  procedure: Procedure;
  lit: number;
  u: number;
  redraw: number | null;
  bound: string;
};

export class VerdictNeedle {
  needle: Handle;
  gauge = new Picture("gauge-picture", (size) => this.drawGauge(size));
  strip = new Picture("strip-picture", (size) => this.drawStrip(size));
  bound = el("h4", "ruling-head", "");
  source = el("h4", "ruling-head", "");
  node = el("div", "ruling", this.bound, this.gauge.node, this.source, this.strip.node);
  judged: JudgedToken | null = null;
  yes = shape("rect", "zone yes");
  no = shape("rect", "zone no");
  yesWord = shape("text", "zone-word yes");
  noWord = shape("text", "zone-word no");
  stem = shape("path", "needle-stem");
  reach = shape("rect", "reach");
  ring = shape("rect", "ring");
  letter = shape("text", "needle-letter");
  hatch = this.strip.hatching("residual");

  constructor(move: (u: number) => void) {
    place(this.gauge.svg, { role: "group", "aria-label": word("The stretch from 0 to 1 on which u is compared") });
    place(this.no, { fill: this.gauge.hatching("rejected") });
    const holder = shape("g", "needle-handle", this.reach, this.stem, this.letter, this.ring);
    this.needle = new Handle(holder, UNIFORM, {
      valueAt: (event) => {
        const box = this.gauge.svg.getBoundingClientRect();
        return (event.clientX - box.left - this.edge()) / (box.width - 2 * this.edge());
      },
      change: move,
    });
    this.gauge.svg.append(this.no, this.yes, this.yesWord, this.noWord, holder);
  }

  /** Room beside the stretch, so that the needle's letter is never cut. */
  edge() {
    return 0.9 * this.gauge.size.em;
  }

  show(judged: JudgedToken) {
    this.judged = judged;
    const { pairing, procedure, lit, u } = judged;
    const accepted = u < procedure.accept[lit];
    setText(this.bound, judged.bound);
    const rest = procedure.after === pairing.p ? word("p itself") : word("the residual, norm(max(0, p − q))");
    setText(this.source, word("After a rejection: {rest}", { rest }));
    this.needle.show(
      word("u, the random number"),
      u,
      `${fixed(u, 3)}, ${accepted ? word("accepted") : word("rejected")}`,
    );
    const shares = pairing.tokens.map((token, i) => `“${token}” ${fixed(procedure.after[i], 2)}`).join(", ");
    this.strip.name(word("Drawn from after a rejection: {shares}", { shares }));
    this.gauge.redraw();
    this.strip.redraw();
  }

  drawGauge({ width, height, em }: PictureSize) {
    if (!this.judged) return;
    const { procedure, lit, u } = this.judged;
    const bound = procedure.accept[lit];
    const [left, long] = [this.edge(), width - 2 * this.edge()];
    const [top, low] = [1.25 * em, height - 2];
    placeBar(this.yes, left, long * bound, top, low);
    placeBar(this.no, left + long * bound, long * (1 - bound), top, low);
    const zones = [
      { node: this.yesWord, words: word("✓ accept"), from: 0, to: bound },
      { node: this.noWord, words: word("✕ reject"), from: bound, to: 1 },
    ];
    for (const { node, words, from, to } of zones) {
      const room = ((to - from) * long) / em;
      const fitting = room > 0.625 * words.length ? words : room > 1.6 ? words[0] : "";
      setText(node, fitting);
      place(node, { x: left + ((from + to) / 2) * long, y: (top + low) / 2 + 0.35 * em });
    }
    const x = left + u * long;
    place(this.stem, { d: `M${x} ${low + 2}V${top - 2}` });
    place(this.letter, { x: Math.min(width - 2.6 * em, Math.max(2.6 * em, x)), y: 0.95 * em });
    setText(this.letter, `u = ${fixed(u, 3)}`);
    placeBar(this.reach, x - 1.2 * em, 2.4 * em, 0, height);
    placeBar(this.ring, x - 0.5 * em, em, top - 3, low + 1);
    this.gauge.node.dataset.verdict = u < bound ? "accepted" : "rejected";
  }

  drawStrip({ width, height, em }: PictureSize) {
    if (!this.judged) return;
    const { pairing, procedure, redraw } = this.judged;
    const [left, long, top] = [this.edge(), width - 2 * this.edge(), 0.55 * em];
    const came = redraw === null ? -1 : tokenAt(procedure.after, redraw);
    let from = 0;
    const pieces = pairing.tokens.flatMap((token, i) => {
      const share = procedure.after[i];
      const room = Math.floor((share * long) / (0.62 * em));
      const middle = left + (from + share / 2) * long;
      const kind = `piece${i === came ? " came" : ""}`;
      from += share;
      return [
        bar(kind, left + (from - share) * long, share * long, top, height - 2, this.hatch),
        text("piece-name", room > 1 ? clipped(token, room) : "", middle, (top + height - 2) / 2 + 0.35 * em),
      ];
    });
    const x = left + (redraw ?? 0) * long;
    const half = 0.35 * em;
    const needle = `M${x - half} 0H${x + half}L${x} ${top + 2}ZM${x} ${top}V${height}`;
    join(this.strip.parts, [...pieces, redraw !== null && path("second-needle", needle)]);
  }
}
