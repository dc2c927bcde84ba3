// Where a draft comes from, drawn on the desk: the strip of two rows, the table of token recycling, the window of
// lookahead decoding, and the bits of a quantized copy.

/** @import { Position, Round, Run } from "../shared/types" */
/** @import { Cell } from "./copied_passages.js" */
/** @import { TableRow } from "./recycling_table.js" */

import { el, named, setText } from "../shared/dom.js";
import { tokenLabel } from "../shared/labels.js";
import { explain } from "../shared/notes.js";
import { several, word } from "../shared/words.js";
import { noStripWords, STRIPS, stripOf } from "./copied_passages.js";
import { pathsOf } from "./guess_window.js";
import { rowsUsed, rowsWritten } from "./recycling_table.js";

const UPDATED = "↻";

/** Two rows of tokens over one another. */
export class StripView {
  constructor() {
    this.note = el("p", "strip-note", "");
    this.names = [el("span", "strip-name", ""), el("span", "strip-name", "")];
    this.rows = [el("div", "strip-row"), el("div", "strip-row")];
    const [above, below] = this.rows;
    this.nothing = el("p", "strip-nothing", "");
    this.box = el("div", { class: "strip-box", role: "group" }, above, below, this.nothing);
    this.node = el("div", { class: "strip", hidden: true }, ...this.names, this.box, this.note);
    this.key = "";
    /** @type {{ node: HTMLElement, shown: number }[]} */
    this.waiting = [];
    new ResizeObserver(() => {
      this.box.tabIndex = this.box.scrollWidth > this.box.clientWidth ? 0 : -1;
    }).observe(this.box);
  }

  /** @param {Run} run @param {Round | undefined} round @param {Position} position */
  draw(run, round, position) {
    const known = !run.complete || run.rounds.some(({ match, own }) => match || own); // not in recordings of before
    this.node.hidden = !(known && STRIPS.includes(run.drafterText.picture));
    if (this.node.hidden) return;
    const key = `${run.id} ${position.index} ${run.rounds.length} ${Boolean(round?.closing?.residual_top)}`;
    if (key !== this.key) {
      this.fill(run, round);
      this.toEnd();
    }
    this.key = key;
    for (const { node, shown } of this.waiting) node.classList.toggle("off", shown > position.typed);
  }

  /** @param {Run} run @param {Round | undefined} round */
  fill(run, round) {
    const strip = round ? stripOf(run, round) : null;
    this.waiting = [];
    setText(this.note, strip?.note ?? "");
    setText(this.nothing, round && !strip ? noStripWords(run, round) : "");
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

  /** Where it does not fit, its end is in view: the draft. */
  toEnd() {
    this.box.scrollLeft = this.box.scrollWidth;
  }

  /** @param {Cell} cell */
  cell({ text, from, to, kind, mark, shown }) {
    const node = el("span", `cut ${kind}`);
    node.style.setProperty("--from", String(from));
    node.style.setProperty("--to", String(to));
    node.append(el("span", "text", text), el("span", "mark", mark));
    if (shown) this.waiting.push({ node, shown });
    return node;
  }
}

/** Rows of chips, each of which is lit once its drafted token is typed. */
class ChipRows {
  /**
   * @param {string} className
   * @param {Run["drafterText"]["picture"]} picture the drafter's, of which it is shown.
   * @param {string} label
   */
  constructor(className, picture, label) {
    this.picture = picture;
    this.head = el("p", "recycled-head", "");
    this.body = el("div", "recycled-rows");
    this.node = el("div", className, this.head, this.body);
    this.node.hidden = true;
    this.node.tabIndex = 0;
    named(this.node, "group", label);
    this.key = "";
    /** @type {{ node: HTMLElement, at: number }[]} */
    this.chips = [];
  }

  /** @param {Run} run @param {Round | undefined} round @param {Position} position */
  draw(run, round, position) {
    this.node.hidden = run.drafterText.picture !== this.picture;
    if (this.node.hidden) return;
    const key = `${run.id} ${position.index} ${run.rounds.length} ${Boolean(round?.closing?.residual_top)}`;
    if (key !== this.key) {
      this.chips = [];
      this.body.replaceChildren(...this.rowsOf(run, round));
    }
    this.key = key;
    for (const { node, at } of this.chips) node.classList.toggle("lit", at < position.typed);
    this.node.classList.toggle("updated", position.landed);
    setText(this.head, this.wordsOf(round !== undefined && position.landed));
  }

  /**
   * @param {string} text
   * @param {number} at index of the drafted token.
   */
  chip(text, at) {
    const node = el("span", "recycled-chip", text);
    this.chips.push({ node, at });
    return node;
  }

  /** @type {(run: Run, round: Round | undefined) => HTMLElement[]} */
  rowsOf() {
    return [];
  }

  /** @type {(landed: boolean) => string} */
  wordsOf() {
    return "";
  }
}

/** The rows of the table that this round's tree was grown from. */
export class TableView extends ChipRows {
  constructor() {
    super("recycled", "table", word("The table of likely successors"));
    this.written = 0;
  }

  /** @override @type {(landed: boolean) => string} */
  wordsOf(landed) {
    const rows = several(this.written, "{n} row updated by this pass", "{n} rows updated by this pass");
    return landed ? `${UPDATED} ${rows}` : word("After → likely next, lit: in the tree");
  }

  /** @override @type {(run: Run, round: Round | undefined) => HTMLElement[]} */
  rowsOf(run, round) {
    const last = round && (round.start ? run.ids[round.start - 1] : run.promptIds.at(-1));
    if (!round || last === undefined) return [];
    this.written = rowsWritten(round, last);
    return rowsUsed(round, last).map((row) => this.row(run, row));
  }

  /** @param {Run} run @param {TableRow} row */
  row({ bytes }, { token, successors, now }) {
    const own = tokenLabel(bytes, token).text;
    const chips = successors.map((one) => this.chip(tokenLabel(bytes, one.token).text, one.node));
    const first = now === null ? "" : ` ${tokenLabel(bytes, now).text}`;
    const update = el("span", "recycled-now", `${UPDATED}${first}`);
    explain(
      update,
      first
        ? word("Updated: the target now finds{first} the likeliest after {token}.", { first, token: own })
        : word("Updated by this pass."),
    );
    const [name, arrow] = [el("span", "recycled-token", own), el("span", "recycled-arrow", "→")];
    return el("div", "recycled-row", name, arrow, ...chips, update);
  }
}

/** The paths that go into the pass of lookahead decoding. */
export class WindowView extends ChipRows {
  constructor() {
    super("recycled window", "window", word("The window of guesses"));
  }

  /** @override @type {(landed: boolean) => string} */
  wordsOf(landed) {
    return landed
      ? `${UPDATED} ${word("the target wrote a token after every one of them: the next guesses")}`
      : word("Guesses and earlier runs of tokens, all read in one pass");
  }

  /** @override @type {(run: Run, round: Round | undefined) => HTMLElement[]} */
  rowsOf({ bytes }, round) {
    return pathsOf(round?.drafted ?? []).map(({ from, nodes }) => {
      const chips = nodes.map((at, i) =>
        this.chip(i < from ? "″" : tokenLabel(bytes, round?.drafted[at].token ?? null).text, at),
      );
      return el("div", "recycled-row", ...chips);
    });
  }
}

/** How many bits a number has in these formats. @type {Record<string, number>} */
const BITS = { float64: 64, float32: 32, bfloat16: 16, float16: 16 };
const FEWER = 8;

/** The bits of a weight: those that the copy has are filled. */
export class BitsView {
  constructor() {
    this.node = el("span", { class: "bits", hidden: true });
    this.key = "";
  }

  /** @param {Run} run */
  draw({ drafterText, card }) {
    const of = BITS[card?.dtype ?? ""] ?? 0;
    this.node.hidden = drafterText.picture !== "fewer bits" || !of;
    const key = this.node.hidden ? "" : String(of);
    if (key === this.key) return;
    this.key = key;
    const name = el("b", "", word("{bits} of {of} bits", { bits: FEWER, of }));
    explain(name, word("Every weight of the target in {bits} bits instead of {of}.", { bits: FEWER, of }));
    const cells = Array.from({ length: of }, (_, i) => el("i", i < FEWER ? "lit" : "out"));
    this.node.replaceChildren(name, ...cells);
  }
}
