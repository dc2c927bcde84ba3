// Where a draft comes from, drawn on the desk: the strip of two rows, and the bits of a quantized copy.

import { el, isNew, setText } from "../shared/dom.ts";
import type { Round } from "../shared/json_types.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import { isCopy } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { alignmentOf, type Cell, noMatchWords } from "./copied_passages.ts";

/** Two rows of tokens over one another. */
export class AlignmentView {
  box: HTMLDivElement;
  node: HTMLDivElement;
  note = el("p", "strip-note", "");
  names = [el("span", "strip-name", ""), el("span", "strip-name", "")];
  rows = [el("div", "strip-row"), el("div", "strip-row")];
  nothing = el("p", "strip-nothing", "");
  waiting: { node: HTMLElement; shown: number }[] = [];

  constructor() {
    const [above, below] = this.rows;
    this.box = el("div", { class: "strip-box", role: "group" }, above, below, this.nothing);
    this.node = el("div", { class: "strip", hidden: true }, ...this.names, this.box, this.note);
    new ResizeObserver(() => {
      this.box.tabIndex = this.box.scrollWidth > this.box.clientWidth ? 0 : -1;
    }).observe(this.box);
  }

  draw(run: Run, round: Round | undefined, position: Position) {
    const recorded = !run.complete || run.rounds.some(({ match }) => match); // not in recordings of before
    this.node.hidden = !(recorded && (run.drafterText.picture === "copy" || (round && isCopy(round))));
    if (this.node.hidden) return;
    if (isNew(this, run.id, position.index, run.rounds.length, Boolean(round?.closing?.residual_top))) {
      this.fill(run, round);
      this.box.scrollLeft = this.box.scrollWidth; // where it does not fit, its end is in view: the draft
    }
    for (const { node, shown } of this.waiting) node.classList.toggle("off", shown > position.typed);
  }

  fill(run: Run, round: Round | undefined) {
    const strip = round ? alignmentOf(run, round) : null;
    this.waiting = [];
    setText(this.note, strip?.note ?? "");
    setText(this.nothing, round && !strip ? noMatchWords(round) : "");
    this.box.style.setProperty("--units", String(strip?.units ?? 1));
    this.rows.forEach((row, i) => {
      setText(this.names[i], strip?.rows[i].name ?? "");
      row.replaceChildren(...(strip?.rows[i].cells ?? []).map((cell) => this.cell(cell)));
    });
    this.box.setAttribute(
      "aria-label",
      strip ? strip.rows.map(({ name }) => name).join(word(", then ")) : word("nothing is drafted"),
    );
  }

  cell({ text, from, to, kind, mark, shown }: Cell) {
    const words = [el("span", "text", text), el("span", "mark", mark)];
    const node = el("span", { class: `cut ${kind}`, "--from": from, "--to": to }, ...words);
    if (shown) this.waiting.push({ node, shown });
    return node;
  }
}

/** How many bits a number has in these formats. */
const BITS: Record<string, number> = { float64: 64, float32: 32, bfloat16: 16, float16: 16 };
const FEWER = 8;

/** The bits of a weight: those that the copy has are filled. */
export class BitsView {
  node = el("span", { class: "bits", hidden: true });

  draw({ drafterText, card }: Run) {
    const of = BITS[card?.dtype ?? ""] ?? 0;
    this.node.hidden = drafterText.picture !== "fewer bits" || !of;
    if (this.node.hidden || !isNew(this, of)) return;
    const name = el("b", "", word("{bits} of {of} bits", { bits: FEWER, of }));
    explain(name, word("Every weight of the target in {bits} bits instead of {of}.", { bits: FEWER, of }));
    const cells = Array.from({ length: of }, (_, i) => el("i", i < FEWER ? "lit" : "out"));
    this.node.replaceChildren(name, ...cells);
  }
}
