// The round as a tree of drafts: a node for each, joined to the one it follows; the accepted path is lit. It stands in the text, under the
// caret, or on the desk: there large trees have lower rows, and scroll inside a box of fixed height, which follows what is typed or judged.

import { el, place, setText, shape } from "../shared/dom.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import { tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { isCopy, judgedOrder, slotAt } from "../shared/round.ts";
import type { Layout, Run, Slot } from "../shared/run_types.ts";
import { layoutOf } from "../shared/tree_layout.ts";
import { word } from "../shared/words.ts";
import { sameWordsNote } from "./inline_guesses_layout.ts";
import { pairAt, TargetSide } from "./target_side.ts";
import { kindOf, TokenSlot } from "./token_slot.ts";
import { TreeColumns } from "./tree_columns.ts";

/** With more rows a node is one line: its token and its mark. */
const DENSE = 4;

export class DraftTree {
  closing = new TokenSlot("closing", "closing");
  depths: TreeColumns;
  slots: TokenSlot[] = [];
  pairs: TargetSide[] = [];
  lines: SVGPathElement[] = [];
  layout: Layout = layoutOf([]);
  key = "";
  followed: number | null = null;
  edges = shape("svg", { class: "edges", "aria-hidden": "true" });
  grid = el("div", { class: "tree", role: "group", "aria-label": word("The current round, a tree of drafts") });
  note = el("p", "tree-note", "");
  node = el("div", { class: "tree-view", tabindex: -1 }, this.grid, this.note);
  /** Whether it stands in the text. */
  inText = false;

  constructor() {
    this.grid.append(this.edges, el("span", "root"), this.closing.node);
    this.depths = new TreeColumns(this.grid); // its bands are drawn under what is there by now
    new ResizeObserver(() => {
      this.key = ""; // another window, another fit: at the next frame
    }).observe(this.node);
  }

  resize(run: Run, index: number) {
    const key = `${run.id} ${run.rounds.length} ${index}`;
    if (key === this.key) return;
    this.key = key;
    const round = run.rounds[index];
    this.layout = layoutOf(round.drafted);
    const columns = this.layout.depth + 1; // the last one is the target's
    const rows = this.inText ? this.layout.rows : rowsOf(run);
    setText(this.note, this.inText ? sameWordsNote(run.drafterText, round, this.layout.nodes) : "");
    this.grid.style.gridTemplateColumns = this.widths(run, index, rows > DENSE);
    this.grid.style.setProperty("--columns", String(columns));
    this.grid.style.setProperty("--rows", String(rows));
    this.grid.classList.toggle("dense", rows > DENSE);
    this.depths.resize(run.drafterText, isCopy(round) ? 0 : columns - 1);
    while (this.slots.length < round.drafted.length) {
      const slot = new TokenSlot(this.slots.length);
      this.pairs.push(new TargetSide(slot.node));
      this.slots.push(slot);
      this.grid.append(slot.node);
    }
    this.slots.forEach(({ node }, i) => {
      const at = this.layout.nodes[i];
      node.hidden = !at;
      if (!at) return;
      node.style.setProperty("--column", String(at.depth + 1));
      node.style.setProperty("--row", String(at.row + 1));
    });
    const boxes = round.drafted.map((_, i) => this.slots[i].node);
    const apart = Number.parseFloat(getComputedStyle(this.grid).columnGap);
    this.lines = round.drafted.map(({ parent }, i) => lineBetween(boxes[parent] ?? null, boxes[i], boxes[0], apart));
    this.edges.replaceChildren(...this.lines);
    this.grid.classList.remove("long");
    this.grid.classList.toggle("long", this.node.scrollHeight > this.node.clientHeight);
    // What scrolls can be scrolled by the keyboard.
    const scrolls = this.node.scrollHeight > this.node.clientHeight || this.node.scrollWidth > this.node.clientWidth;
    this.node.tabIndex = scrolls ? 0 : -1;
    this.node.scrollTo(0, 0);
    this.followed = null;
  }

  /** A column is as wide as the longest token of its depth, before that is typed; no token is ever cut. */
  widths(run: Run, index: number, dense: boolean) {
    const { drafted } = run.rounds[index];
    const most = new Array(this.layout.depth).fill(1);
    drafted.forEach(({ token }, i) => {
      const { depth } = this.layout.nodes[i];
      most[depth] = Math.max(most[depth], widthOf(tokenLabel(run.bytes, token).text));
    });
    if (this.inText) return most.map((signs) => `minmax(max-content, calc(${signs}ch + var(--beside)))`).join(" ");
    const least = (signs: number) =>
      dense ? `calc(${0.62 * signs} * var(--letter, var(--small)) + 1.1 * var(--small) + 16px)` : "max-content";
    return [...most.map((signs) => `minmax(${least(signs)}, 1fr)`), "minmax(max-content, 1fr)"].join(" ");
  }

  /** The box of a guess, if it is there. */
  placeOf(slot: Slot) {
    return this.inText && slot !== "closing" ? this.slots[slot]?.node : undefined;
  }

  draw(run: Run, round: Round | undefined, position: Position, { looks, covered }: { looks: Looks; covered: boolean }) {
    if (!round) return;
    this.resize(run, position.index);
    this.grid.style.setProperty("--progress", String(position.sweep));
    this.grid.classList.toggle("checking", position.phase === "verify");
    round.drafted.forEach((drafted, i) => {
      const kind = kindOf(run.drafterText, round, position, i);
      const label = i < position.typed ? tokenLabel(run.bytes, drafted.token) : null;
      this.slots[i].draw(label, kind, looks[kind] ? kind : "", looks);
      this.pairs[i].draw(run, pairAt(run, round, position, i, covered));
      this.lines[i].setAttribute("class", `edge ${kind}`);
    });
    const own = position.landed ? round.closing : null;
    this.closing.draw(own && tokenLabel(run.bytes, own.token), own ? `on ${own.how}` : "off", own?.how ?? "", looks);
    this.depths.draw(round, position.typed);
    if (!this.inText) this.follow(round, position);
  }

  /** Scroll to the node that the round has come to, where it is not in view. */
  follow(round: Round, position: Position) {
    const judged = judgedOrder(round).filter((i) => slotAt(round, position, i).judged);
    const at = (position.landed ? round.accepted : judged).at(-1) ?? 0;
    if (at === this.followed || !this.slots[at] || !round.drafted.length) return;
    this.followed = at;
    const box = this.node;
    const { node } = this.slots[at];
    const head = this.slots[0].node.offsetTop; // the first row, under the names of the columns
    const [top, tall] = [node.offsetTop - head, box.clientHeight - head];
    const below = top + node.offsetHeight > box.scrollTop + tall;
    const { row } = this.layout.nodes[at];
    const step = row ? top / row : 1; // of one row: the first one in view is never cut
    const beside = node.offsetLeft + node.offsetWidth > box.scrollLeft + box.clientWidth;
    const third = Math.floor((top - tall / 3) / step);
    const last = Math.ceil(this.layout.rows - tall / step); // no further than to the end of this round's tree
    if (below || top < box.scrollTop) box.scrollTop = Math.max(0, Math.min(third, last) * step);
    if (beside || node.offsetLeft < box.scrollLeft) box.scrollLeft = Math.max(0, node.offsetLeft - box.clientWidth / 2);
  }
}

/** Rows for the largest tree of the run, so that none is higher or lower from round to round. */
function rowsOf(run: Run) {
  return Math.max(1, ...run.rounds.map((round) => layoutOf(round.drafted).rows));
}

/** How many narrow signs a text is as wide as: those of some scripts, and emoji, are as wide as two. */
function widthOf(text: string) {
  return [...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x10ff ? 2 : 1), 0);
}

/**
 * The line from a node to its parent: along the parent's row as far as its column goes, then to the node. The root is left of the first node.
 * @param apart pixels between two columns
 */
function lineBetween(parent: HTMLElement | null, child: HTMLElement, first: HTMLElement, apart: number) {
  const path = shape("path");
  const [from, to] = [parent ?? first, child].map((node) => node.offsetTop + node.offsetHeight / 2);
  const left = parent ? parent.offsetLeft + 4 : first.offsetLeft - apart; // under the parent's box, which is as wide as its token
  const [bend, end] = [child.offsetLeft - apart, child.offsetLeft];
  place(path, { d: `M${left} ${from} H${bend} C${bend + apart / 2} ${from} ${bend + apart / 2} ${to} ${end} ${to}` });
  return path;
}
