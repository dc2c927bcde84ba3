// The round now: who is at work, how long each took, and the drafts as a chain or as a tree.

class Desk {
  constructor(act) {
    this.node = el("div", "desk");
    const head = el("div", "head");
    this.name = el("span", "round-name", "");
    this.legend = el("span", "legend");
    head.append(this.name, this.legend);
    const who = el("div", "who");
    this.typist = this.role("draft", "Draft model", "types ahead, one token at a time");
    this.editor = this.role("target", "Target model", "checks all of them in one pass");
    who.append(this.typist.node, this.editor.node);
    this.board = new Board(act);
    this.tree = new Tree(act);
    this.node.append(head, who, this.board.node, this.tree.node);
  }

  role(kind, name, does) {
    const node = el("div", `role ${kind}`);
    const time = el("span", "time", "");
    node.append(el("b", "", name), el("span", "does", does), time);
    return { node, time };
  }

  wear(looks) {
    if (this.looks) return;
    this.looks = looks;
    this.legend.append(...Object.entries(looks).map(([name, look]) => el("span", `key ${name}`, `${look.mark} ${look.word}`)));
  }

  draw(run, position) {
    const round = run.rounds[position.index];
    const asTree = run.branching;
    this.board.node.hidden = asTree;
    this.tree.node.hidden = !asTree;
    this.node.dataset.phase = round ? position.phase : "idle";
    (asTree ? this.tree : this.board).draw(run, round, position, this.looks);
    if (round) this.drawHead(run, position, round);
    else this.clear();
  }

  clear() {
    for (const node of [this.name, this.typist.time, this.editor.time]) setText(node, "");
    for (const role of [this.typist, this.editor]) role.node.classList.remove("active");
  }

  drawHead(run, position, round) {
    const drafts = round.drafted.length;
    const of = run.complete ? ` of ${run.rounds.length}` : "";
    const read = run.prefill;
    setText(this.name, `Round ${position.index + 1}${of}${read ? ` · prompt read in ${milliseconds(read.target_s + read.draft_s)}` : ""}`);
    const how = read ? `Before the first round: ${milliseconds(read.target_s)} by the target, ${milliseconds(read.draft_s)} by the draft. Not part of the speedup.` : "";
    if (this.name.title !== how) this.name.title = how;
    setText(this.typist.time, position.phase === "draft" || !drafts ? "" : `${milliseconds(round.draft)} for ${drafts}`);
    setText(this.editor.time, position.swept ? `${milliseconds(round.verify)}, one pass` : "");
    this.typist.node.classList.toggle("active", position.phase === "draft");
    this.editor.node.classList.toggle("active", position.phase !== "draft");
  }
}
