// The round now as a tree of drafts: a node for each, joined to the one it follows; the accepted path is lit. Large trees
// have lower rows, and scroll inside a box of fixed height, which follows what is being typed or judged.

class Tree {
  constructor(act) {
    this.act = act;
    this.slots = [];
    this.node = el("div", "tree-view");
    this.node.tabIndex = -1;
    this.grid = el("div", "tree");
    this.grid.setAttribute("role", "group");
    this.grid.setAttribute("aria-label", "The round now, a tree of drafts");
    this.edges = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.edges.setAttribute("class", "edges");
    this.edges.setAttribute("preserveAspectRatio", "none");
    this.edges.setAttribute("aria-hidden", "true");
    this.closing = new Slot("closing", act, "closing");
    this.grid.append(this.edges, el("span", "root"), this.closing.node);
    this.node.append(this.grid);
  }

  // Room for the largest tree of the run, so that nothing jumps from round to round; the last column is the target's.
  static roomOf(run) {
    const room = { columns: 1, rows: 1 };
    for (const round of run.rounds) {
      const layout = layoutOf(round.drafted);
      room.columns = Math.max(room.columns, layout.depth);
      room.rows = Math.max(room.rows, layout.rows);
    }
    return { columns: room.columns + 1, rows: room.rows };
  }

  lay(run, index) {
    const key = `${run.id} ${run.rounds.length} ${index}`;
    if (key === this.key) return;
    this.key = key;
    const room = Tree.roomOf(run);
    const round = run.rounds[index];
    this.layout = layoutOf(round.drafted);
    this.room = room;
    this.grid.style.setProperty("--columns", room.columns);
    this.grid.style.setProperty("--rows", room.rows);
    this.grid.classList.toggle("dense", room.rows > 5);
    while (this.slots.length < round.drafted.length) {
      const slot = new Slot(this.slots.length, this.act);
      this.slots.push(slot);
      this.grid.append(slot.node);
    }
    this.slots.forEach((slot, i) => {
      const place = this.layout.places[i];
      slot.node.hidden = !place;
      if (place) this.put(slot.node, place.depth, place.row);
    });
    this.edges.setAttribute("viewBox", `0 0 ${room.columns} ${room.rows}`);
    this.lines = round.drafted.map((d, i) => this.line(d.parent, i));
    this.edges.replaceChildren(...this.lines);
    this.node.scrollTo(0, 0);
    this.followed = null;
  }

  put(node, column, row) {
    node.style.setProperty("--column", column + 1);
    node.style.setProperty("--row", row + 1);
  }

  line(parent, child) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const to = this.layout.places[child];
    const from = parent < 0 ? null : this.layout.places[parent];
    const [x1, y1] = from ? [from.depth + 0.85, from.row + 0.5] : [-0.1, 0.5]; // the root stands left of the first column
    const [x2, y2] = [to.depth + 0.05, to.row + 0.5];
    path.setAttribute("d", `M${x1} ${y1} C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`);
    path.setAttribute("vector-effect", "non-scaling-stroke");
    return path;
  }

  draw(run, round, position, looks) {
    if (!round) return;
    this.lay(run, position.index);
    this.grid.style.setProperty("--progress", position.sweep);
    this.grid.classList.toggle("checking", position.phase === "verify");
    round.drafted.forEach((drafted, i) => {
      const kind = kindOf(round, position, i);
      this.slots[i].draw(i < position.typed ? tokenLabel(run.bytes, drafted.token) : null, kind, looks[kind] ? kind : "", looks);
      this.lines[i].setAttribute("class", `edge ${kind}`);
    });
    const own = position.landed ? round.closing : null;
    this.closing.draw(own ? tokenLabel(run.bytes, own.token) : null, own ? `on ${own.how}` : "off", own ? own.how : "", looks);
    this.follow(round, position);
  }

  // Scroll, where the tree is larger than its box, to the node that the round has come to.
  follow(round, position) {
    const told = judgedOrder(round).filter((i) => slotAt(round, position, i).told);
    const at = position.landed ? round.accepted.at(-1) ?? 0 : told.at(-1) ?? 0;
    if (at === this.followed || !this.slots[at] || !round.drafted.length) return;
    this.followed = at;
    const box = this.node, node = this.slots[at].node;
    if (box.scrollHeight > box.clientHeight) box.scrollTop = Math.max(0, node.offsetTop - box.clientHeight / 3);
    if (box.scrollWidth > box.clientWidth) box.scrollLeft = Math.max(0, node.offsetLeft - box.clientWidth / 2);
  }
}
