// The round now as a chain: a column for each slot, the drafted token above, the target's own below.

class Board {
  constructor(act) {
    this.act = act;
    this.columns = [];
    this.node = el("div", "board");
    this.node.setAttribute("role", "group");
    this.node.setAttribute("aria-label", "The round now");
  }

  // A column for each slot and one more: a fixed number, so that nothing jumps.
  lay(count) {
    if (this.columns.length === count) return;
    this.node.style.setProperty("--columns", count > 9 ? Math.ceil(count / 2) : count);
    this.node.classList.toggle("narrow", count > 7);
    this.columns = Array.from({ length: count }, (_, place) => {
      const node = el("div", "column");
      const slot = new Slot(place, this.act);
      const closing = new Slot("closing", this.act, "closing");
      node.append(slot.node, closing.node);
      return { node, slot, closing };
    });
    this.node.replaceChildren(...this.columns.map((column) => column.node));
  }

  draw(run, round, position, looks) {
    this.lay((run.k || 5) + 1);
    const wall = round ? wallOf(round) : -1;
    if (round) this.node.style.setProperty("--progress", position.sweep);
    this.columns.forEach(({ node, slot, closing }, place) => {
      const drafted = round && round.drafted[place];
      const kind = round ? kindOf(round, position, place) : "idle";
      const typed = drafted && place < position.typed;
      slot.draw(typed ? tokenLabel(run.bytes, drafted.token) : null, kind, looks[kind] ? kind : "", looks);
      node.classList.toggle("wall", Boolean(round) && place === wall && position.judged > wall);
      node.classList.toggle("checking", Boolean(round) && position.phase === "verify" && place < round.drafted.length);
      const own = round && round.closing && position.landed && place === round.accepted.length ? round.closing : null;
      closing.draw(own ? tokenLabel(run.bytes, own.token) : null, own ? `on ${own.how}` : "off", own ? own.how : "", looks);
    });
  }
}
