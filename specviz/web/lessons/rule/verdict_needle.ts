// One drafted token is judged: u as a needle on the stretch of acceptance, and below it what is drawn from after a rejection.

import { el, place, setText, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize } from "../common/drawing.ts";
import * as mark from "../common/marks.ts";
import { Handle } from "../common/widgets.ts";
import type { Pairing, Procedure } from "../lesson_types.ts";
import { tokenAt } from "./sampling.ts";

const UNIFORM = { min: 0, max: 0.999, step: 0.001 };

type JudgedToken = {
  pairing: Pairing;
  procedure: Procedure;
  lit: number;
  u: number;
  redraw: number | null;
  bound: string;
};

/** Room beside a stretch, in em, so that the needle's letter is never cut. */
const EDGE = 0.9;

/** The stretch from 0 to 1, and the needle on it. */
class Gauge extends Picture<JudgedToken> {
  rejected = this.hatching("rejected");
  needle: Handle;

  constructor(move: (u: number) => void) {
    super("gauge-picture");
    place(this.svg, { role: "group", "aria-label": word("The stretch from 0 to 1 on which u is compared") });
    this.needle = new Handle(shape("g", "needle-handle"), UNIFORM, {
      valueAt: (event) => {
        const box = this.svg.getBoundingClientRect();
        const edge = EDGE * this.size.em;
        return (event.clientX - box.left - edge) / (box.width - 2 * edge);
      },
      change: move,
    });
    this.svg.append(this.needle.node);
  }

  draw({ procedure, lit, u }: JudgedToken, { width, height, em }: PictureSize) {
    const bound = procedure.accept[lit];
    const [left, long] = [EDGE * em, width - 2 * EDGE * em];
    const [top, low] = [1.25 * em, height - 2];
    const zoneWord = (kind: string, words: string, from: number, to: number) => {
      const room = ((to - from) * long) / em;
      const fitting = room > 0.625 * words.length ? words : room > 1.6 ? words[0] : "";
      return mark.text(`zone-word ${kind}`, fitting, left + ((from + to) / 2) * long, (top + low) / 2 + 0.35 * em);
    };
    const x = left + u * long;
    mark.join(this.needle.node, [
      mark.bar("reach", x - 1.2 * em, 2.4 * em, 0, height),
      mark.path("needle-stem", `M${x} ${low + 2}V${top - 2}`),
      mark.text("needle-letter", `u = ${fixed(u, 3)}`, Math.min(width - 2.6 * em, Math.max(2.6 * em, x)), 0.95 * em),
      mark.bar("ring", x - 0.5 * em, em, top - 3, low + 1),
    ]);
    this.node.dataset.verdict = u < bound ? "accepted" : "rejected";
    return [
      mark.bar("zone no", left + long * bound, long * (1 - bound), top, low, this.rejected),
      mark.bar("zone yes", left, long * bound, top, low),
      zoneWord("yes", word("✓ accept"), 0, bound),
      zoneWord("no", word("✕ reject"), bound, 1),
    ];
  }
}

/** What is drawn from after a rejection, in pieces as long as they are probable. */
class Strip extends Picture<JudgedToken> {
  hatch = this.hatching("residual");

  draw({ pairing, procedure, redraw }: JudgedToken, { width, height, em }: PictureSize) {
    const [left, long, top] = [EDGE * em, width - 2 * EDGE * em, 0.55 * em];
    const came = redraw === null ? -1 : tokenAt(procedure.after, redraw);
    let from = 0;
    const pieces = pairing.tokens.flatMap((token, i) => {
      const share = procedure.after[i];
      const room = Math.floor((share * long) / (0.62 * em));
      const middle = left + (from + share / 2) * long;
      const kind = `piece${i === came ? " came" : ""}`;
      from += share;
      return [
        mark.bar(kind, left + (from - share) * long, share * long, top, height - 2, this.hatch),
        mark.text("piece-name", room > 1 ? clipped(token, room) : "", middle, (top + height - 2) / 2 + 0.35 * em),
      ];
    });
    const x = left + (redraw ?? 0) * long;
    const half = 0.35 * em;
    const needle = `M${x - half} 0H${x + half}L${x} ${top + 2}ZM${x} ${top}V${height}`;
    return [...pieces, redraw !== null && mark.path("second-needle", needle)];
  }
}

/** @param move is called with another u */
export function verdictNeedle(move: (u: number) => void) {
  const [gauge, strip] = [new Gauge(move), new Strip("strip-picture")];
  const [bound, source] = [el("h4", "ruling-head"), el("h4", "ruling-head")];
  const show = (judged: JudgedToken) => {
    const { pairing, procedure, lit, u } = judged;
    setText(bound, judged.bound);
    const rest = procedure.after === pairing.p ? word("p itself") : word("the residual (p − q where that is above 0)");
    setText(source, word("After a rejection: {rest}", { rest }));
    const verdict = u < procedure.accept[lit] ? word("accepted") : word("rejected");
    gauge.needle.show(word("u, the random number"), u, `${fixed(u, 3)}, ${verdict}`);
    gauge.redraw(judged);
    const shares = pairing.tokens.map((token, i) => `“${token}” ${fixed(procedure.after[i], 2)}`).join(", ");
    strip.present(judged, word("Drawn from after a rejection: {shares}", { shares }));
  };
  return { node: el("div", "ruling", bound, gauge.node, source, strip.node), show };
}
