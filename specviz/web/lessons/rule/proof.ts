// The two-line proof, folded, with the numbers of the token that is judged.

import { el, setText } from "../../shared/dom.ts";
import { english, fixed, word } from "../../shared/words.ts";
import type { Pairing, Procedure } from "../lesson_types.ts";
import { partsOf } from "./acceptance.ts";

const LINES = [
  english("Drafted and accepted: q(x) · min(1, p(x)/q(x)) = min(q(x), p(x))."),
  english("Rejected, which happens in Σ max(0, p − q) of all cases, and drawn instead: max(0, p(x) − q(x))."),
  english("The sum of the two is p(x), for every token x and every q."),
];

export class Proof {
  node: HTMLDetailsElement;
  numbers = el("p", "proof-numbers", "");

  constructor() {
    const list = el("ol", "proof-lines", ...LINES.slice(0, 2).map((line) => el("li", "", word(line))));
    this.node = el(
      "details",
      "proof",
      el("summary", "", word("Why the exact rule gives p: two lines")),
      list,
      el("p", "", word(LINES[2])),
      this.numbers,
    );
  }

  show({ tokens, p }: Pairing, procedure: Procedure, index: number) {
    const { accepted, redrawn } = partsOf(procedure);
    const [one, two, sum] = [accepted[index], redrawn[index], accepted[index] + redrawn[index]].map((n) => fixed(n, 3));
    const same = Math.abs(accepted[index] + redrawn[index] - p[index]) < 5e-4 ? "=" : "≠";
    setText(
      this.numbers,
      word("“{token}” by the rule chosen above: {one} + {two} = {sum} {same} p = {p}", {
        token: tokens[index],
        one,
        two,
        sum,
        same,
        p: fixed(p[index], 3),
      }),
    );
  }
}
