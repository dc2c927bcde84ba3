// The round on the desk as a tree of drafts: a node for each, joined to the one it follows; the accepted path is lit. Large trees
// have lower rows, and scroll inside a box of fixed height, which follows what is being typed or judged.

/** @import { Layout, Looks, Position, Round, Run } from "../shared/types" */
/** @import { SlotActions } from "./token_slot.js" */

import { el, shape } from "../shared/dom.js";
import { tokenLabel } from "../shared/labels.js";
import { judgedOrder, slotAt } from "../shared/round.js";
import { layoutOf } from "../shared/tree_layout.js";
import { pairAt, TargetSide } from "./target_side.js";
import { kindOf, TokenSlot } from "./token_slot.js";
import { TreeColumns } from "./tree_columns.js";

export class DraftTree {
  /** @param {SlotActions} act */
  constructor(act) {
    this.act = act;
    /** @type {TokenSlot[]} */
    this.slots = [];
    /** @type {TargetSide[]} */
    this.pairs = [];
    /** @type {SVGPathElement[]} */
    this.lines = [];
    this.layout = layoutOf([]);
    this.key = "";
    /** @type {number | null} */
    this.followed = null;
    this.node = el("div", "tree-view");
    this.node.tabIndex = -1;
    this.grid = el("div", "tree");
    this.grid.setAttribute("role", "group");
    this.grid.setAttribute("aria-label", "The current round, a tree of drafts");
    this.edges = shape("svg", "edges");
    this.edges.setAttribute("preserveAspectRatio", "none");
    this.edges.setAttribute("aria-hidden", "true");
    this.closing = new TokenSlot("closing", act, "closing");
    this.grid.append(this.edges, el("span", "root"), this.closing.node);
    this.depths = new TreeColumns(this.grid);
    this.node.append(this.grid);
    new ResizeObserver(() => {
      this.key = ""; // another window, another fit: at the next frame
    }).observe(this.node);
  }

  /**
   * @param {Run} run
   * @param {number} index
   */
  resize(run, index) {
    const key = `${run.id} ${run.rounds.length} ${index}`;
    if (key === this.key) return;
    this.key = key;
    const room = roomOf(run);
    const round = run.rounds[index];
    this.layout = layoutOf(round.drafted);
    this.grid.style.setProperty("--columns", String(room.columns));
    this.grid.style.setProperty("--rows", String(room.rows));
    this.grid.classList.toggle("dense", room.rows > 4);
    this.depths.resize(run.drafterText, room.columns - 1);
    while (this.slots.length < round.drafted.length) {
      const slot = new TokenSlot(this.slots.length, this.act);
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
    this.edges.setAttribute("viewBox", `0 0 ${room.columns} ${room.rows}`);
    const across = this.closing.node.offsetWidth;
    const right = across / (across + Number.parseFloat(getComputedStyle(this.grid).columnGap));
    this.lines = round.drafted.map(({ parent }, i) => lineOf(this.layout, parent, i, right));
    this.edges.replaceChildren(...this.lines);
    this.grid.classList.remove("long");
    this.grid.classList.toggle("long", this.node.scrollHeight > this.node.clientHeight);
    this.node.scrollTo(0, 0);
    this.followed = null;
  }

  /**
   * @param {Run} run
   * @param {Round | undefined} round
   * @param {Position} position
   * @param {{ looks: Looks, covered: boolean }} how
   */
  draw(run, round, position, { looks, covered }) {
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
    this.follow(round, position);
  }

  /**
   * Scroll to the node that the round has come to, where it is not in view.
   * @param {Round} round
   * @param {Position} position
   */
  follow(round, position) {
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

/**
 * Room for the largest tree of the run, so that nothing jumps from round to round; the last column is the target's.
 * @param {Run} run
 */
function roomOf(run) {
  const layouts = run.rounds.map((round) => layoutOf(round.drafted));
  return {
    columns: Math.max(1, ...layouts.map((layout) => layout.depth)) + 1,
    rows: Math.max(1, ...layouts.map((layout) => layout.rows)),
  };
}

/**
 * The line from a node to its parent, from edge to edge: a column and the gap after it are one unit wide. The root is left of the first.
 * @param {Layout} layout
 * @param {number} parent
 * @param {number} child
 * @param {number} right where in its unit a column ends
 */
function lineOf(layout, parent, child, right) {
  const path = shape("path");
  const to = layout.nodes[child];
  const from = parent < 0 ? null : layout.nodes[parent];
  const [x1, y1] = from ? [from.depth + right, from.row + 0.5] : [-0.1, 0.5];
  const [x2, y2] = [to.depth, to.row + 0.5];
  path.setAttribute("d", `M${x1} ${y1} C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`);
  path.setAttribute("vector-effect", "non-scaling-stroke");
  return path;
}
