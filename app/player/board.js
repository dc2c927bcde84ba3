// The round on the desk as a chain: a column for each slot, the drafted token above, the target's own below.

/** @import { Looks, Position, Round, Run } from "./types" */
/** @import { SlotActions } from "./slot.js" */

import { el } from "./dom.js";
import { tokenLabel } from "./labels.js";
import { wallOf } from "./round.js";
import { kindOf, Slot } from "./slot.js";

export class Board {
  /** @param {SlotActions} act */
  constructor(act) {
    this.act = act;
    /** @type {{ node: HTMLElement, slot: Slot, closing: Slot }[]} */
    this.columns = [];
    this.node = el("div", "board");
    this.node.setAttribute("role", "group");
    this.node.setAttribute("aria-label", "The current round");
  }

  /**
   * A column for each slot and one more: a fixed number, so that nothing jumps.
   * @param {number} count
   */
  resize(count) {
    if (this.columns.length === count) return;
    this.node.style.setProperty("--columns", String(count > 9 ? Math.ceil(count / 2) : count));
    this.node.classList.toggle("narrow", count > 7);
    this.columns = Array.from({ length: count }, (_, index) => {
      const node = el("div", "column");
      const slot = new Slot(index, this.act);
      const closing = new Slot("closing", this.act, "closing");
      node.append(slot.node, closing.node);
      return { node, slot, closing };
    });
    this.node.replaceChildren(...this.columns.map((column) => column.node));
  }

  /**
   * @param {Run} run
   * @param {Round | undefined} round
   * @param {Position} position
   * @param {Looks} looks
   */
  draw(run, round, position, looks) {
    this.resize((run.k || 5) + 1);
    const wall = round ? wallOf(round) : -1;
    if (round) this.node.style.setProperty("--progress", String(position.sweep));
    this.columns.forEach(({ node, slot, closing }, index) => {
      const drafted = round?.drafted[index];
      const kind = round ? kindOf(round, position, index) : "idle";
      const label = drafted && index < position.typed ? tokenLabel(run.bytes, drafted.token) : null;
      slot.draw(label, kind, looks[kind] ? kind : "", looks);
      node.classList.toggle("wall", Boolean(round) && index === wall && position.judged > wall);
      node.classList.toggle("checking", Boolean(drafted) && position.phase === "verify");
      const own = round && position.landed && index === round.accepted.length ? round.closing : null;
      closing.draw(own && tokenLabel(run.bytes, own.token), own ? `on ${own.how}` : "off", own?.how ?? "", looks);
    });
  }
}
