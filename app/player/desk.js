// The round now: a column for each slot, the drafted token above, the target's own below.

class Desk {
  // `explain` is called with a slot's place when it is pointed at, and with null when it is left.
  constructor(explain) {
    this.explain = explain;
    this.columns = [];
    this.node = el("div", "desk");
    const head = el("div", "head");
    this.name = el("span", "round-name", "");
    this.legend = el("span", "legend");
    head.append(this.name, this.legend);
    const who = el("div", "who");
    this.typist = this.role("Draft model", "types ahead, one token at a time");
    this.editor = this.role("Target model", "checks all of them in one pass");
    who.append(this.typist.node, this.editor.node);
    this.board = el("div", "board");
    this.board.setAttribute("role", "list");
    this.board.setAttribute("aria-label", "The round now");
    this.node.append(head, who, this.board);
  }

  role(name, does) {
    const node = el("div", "role");
    const time = el("span", "time", "");
    node.append(el("b", "", name), el("span", "does", does), time);
    return { node, time };
  }

  wear(looks) {
    if (this.looks) return;
    this.looks = looks;
    this.legend.append(...Object.entries(looks).map(([name, look]) => el("span", `key ${name}`, `${look.mark} ${look.word}`)));
  }

  // A column for each slot and one more: a fixed number, so that nothing jumps.
  lay(count) {
    if (this.columns.length === count) return;
    this.board.replaceChildren();
    this.board.style.setProperty("--columns", count > 9 ? Math.ceil(count / 2) : count);
    this.board.classList.toggle("narrow", count > 7);
    this.columns = Array.from({ length: count }, (_, i) => this.layColumn(i));
  }

  layColumn(i) {
    const node = el("div", "column");
    node.setAttribute("role", "listitem");
    const slot = el("button", "slot");
    slot.type = "button";
    const text = el("span", "text", "");
    const verdict = el("span", "verdict", "");
    slot.append(text, verdict);
    const closing = el("div", "closing");
    const closingText = el("span", "text", "");
    const closingVerdict = el("span", "verdict", "");
    closing.append(closingText, closingVerdict);
    node.append(slot, closing);
    for (const event of ["pointerenter", "focus"]) slot.addEventListener(event, () => this.explain(i));
    for (const event of ["pointerleave", "blur"]) slot.addEventListener(event, () => this.explain(null));
    this.board.append(node);
    return { node, slot, text, verdict, closing, closingText, closingVerdict };
  }

  draw(run, position) {
    const round = run.rounds[position.index];
    this.lay((run.k || 5) + 1);
    this.node.dataset.phase = round ? position.phase : "idle";
    if (!round) {
      setText(this.name, "");
      for (const column of this.columns) this.drawColumn(run, column, null, {});
      return;
    }
    this.drawHead(run, position, round);
    this.board.style.setProperty("--progress", position.sweep);
    const wall = wallOf(round);
    const drafts = round.drafted.length;
    this.columns.forEach((column, i) => {
      const drafted = round.drafted[i];
      const behind = drafted && drafted.verdict === "discarded" && (position.landed || (wall >= 0 && position.judged > wall));
      this.drawColumn(run, column, drafted && i < position.typed ? drafted : null, {
        open: i < drafts,
        told: drafted && (behind || (drafted.verdict !== "discarded" && i < position.judged)),
        wall: i === wall && position.judged > wall,
        next: position.phase === "draft" && i === position.typed && i < drafts,
        checking: position.phase === "verify" && i < drafts,
        closing: round.closing && position.landed && i === round.accepted.length ? round.closing : null,
      });
    });
  }

  drawHead(run, position, round) {
    const drafts = round.drafted.length;
    const of = run.complete ? ` of ${run.rounds.length}` : "";
    const read = run.prefill;
    setText(this.name, `Round ${position.index + 1}${of}${read ? ` · prompt read in ${milliseconds(read.target_s + read.draft_s)}` : ""}`);
    this.name.title = read ? `Before the first round: ${milliseconds(read.target_s)} by the target, ${milliseconds(read.draft_s)} by the draft. Not part of the speedup.` : "";
    setText(this.typist.time, position.phase === "draft" || !drafts ? "" : `${milliseconds(round.draft)} for ${drafts}`);
    setText(this.editor.time, position.swept ? `${milliseconds(round.verify)}, one pass` : "");
    this.typist.node.classList.toggle("active", position.phase === "draft");
    this.editor.node.classList.toggle("active", position.phase !== "draft");
  }

  drawColumn(run, column, drafted, state) {
    const label = drafted ? tokenLabel(run.bytes, drafted.token) : null;
    setText(column.text, label ? label.text : "");
    const verdict = drafted && state.told ? drafted.verdict : "";
    this.drawVerdict(column.verdict, verdict);
    const kind = drafted ? verdict || "typed" : state.open ? "open" : "idle";
    column.slot.className = `slot ${kind}${label && label.raw ? " raw" : ""}${state.next ? " next" : ""}`;
    column.slot.setAttribute("aria-disabled", String(!drafted));
    column.slot.tabIndex = drafted ? 0 : -1;
    column.node.classList.toggle("wall", Boolean(state.wall));
    column.node.classList.toggle("checking", Boolean(state.checking));
    column.closing.className = `closing ${state.closing ? `on ${state.closing.how}` : ""}`;
    if (state.closing) {
      setText(column.closingText, tokenLabel(run.bytes, state.closing.token).text);
      this.drawVerdict(column.closingVerdict, state.closing.how);
    }
  }

  // Mark and word; where columns are narrow the word is left to the legend.
  drawVerdict(node, name) {
    if ((node.dataset.name || "") === name) return;
    node.dataset.name = name;
    const look = this.looks[name];
    node.replaceChildren(...(look ? [el("span", "mark", look.mark), el("span", "word", ` ${look.word}`)] : []));
  }
}
