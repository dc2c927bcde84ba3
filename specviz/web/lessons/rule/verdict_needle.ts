// One drafted token is judged: u as a needle on the stretch of acceptance, and below it what is drawn from after a rejection.

import { el, place, setText, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize, placeBar, showPart } from "../common/drawing.ts";
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
  pieces: { box: SVGRectElement; name: SVGTextElement }[] = [];
  second = shape("path", "second-needle");
  boxes = shape("g");
  hatch: string = this.strip.hatching("residual");

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
    this.strip.svg.append(this.boxes, this.second);
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
    if (this.pieces.length !== pairing.tokens.length) this.buildPieces(pairing.tokens.length);
    this.gauge.redraw();
    this.strip.redraw();
  }

  buildPieces(count: number) {
    this.pieces = Array.from({ length: count }, () => {
      const box = shape("rect", "piece");
      place(box, { fill: this.hatch });
      return { box, name: shape("text", "piece-name") };
    });
    this.boxes.replaceChildren(...this.pieces.flatMap(({ box, name }) => [box, name]));
  }

  drawGauge({ width, height, em }: PictureSize) {
    if (!this.judged) return;
    const { procedure, lit, u } = this.judged;
    const bound = procedure.accept[lit];
    const [left, long] = [this.edge(), width - 2 * this.edge()];
    const [top, low] = [1.25 * em, height - 2];
    placeBar(this.yes, left, long * bound, top, low);
    placeBar(this.no, left + long * bound, long * (1 - bound), top, low);
    const words = [
      { node: this.yesWord, text: word("✓ accept"), from: 0, to: bound },
      { node: this.noWord, text: word("✕ reject"), from: bound, to: 1 },
    ];
    for (const { node, text, from, to } of words) {
      const room = ((to - from) * long) / em;
      const fitting = room > 0.625 * text.length ? text : room > 1.6 ? text[0] : "";
      if (node.textContent !== fitting) node.textContent = fitting;
      place(node, { x: left + ((from + to) / 2) * long, y: (top + low) / 2 + 0.35 * em });
    }
    const x = left + u * long;
    place(this.stem, { d: `M${x} ${low + 2}V${top - 2}` });
    place(this.letter, { x: Math.min(width - 2.6 * em, Math.max(2.6 * em, x)), y: 0.95 * em });
    const text = `u = ${fixed(u, 3)}`;
    if (this.letter.textContent !== text) this.letter.textContent = text;
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
    this.pieces.forEach(({ box, name }, i) => {
      const share = procedure.after[i];
      placeBar(box, left + from * long, share * long, top, height - 2);
      box.classList.toggle("came", i === came);
      const room = Math.floor((share * long) / (0.62 * em));
      const text = room > 1 ? clipped(pairing.tokens[i], room) : "";
      if (name.textContent !== text) name.textContent = text;
      place(name, { x: left + (from + share / 2) * long, y: (top + height - 2) / 2 + 0.35 * em });
      from += share;
    });
    showPart(this.second, redraw !== null);
    const x = left + (redraw ?? 0) * long;
    const half = 0.35 * em;
    place(this.second, { d: `M${x - half} 0H${x + half}L${x} ${top + 2}ZM${x} ${top}V${height}` });
  }
}
