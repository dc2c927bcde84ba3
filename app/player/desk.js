// The round now: who is at work, how long each took, and the drafts as a chain or as a tree.

class Desk {
  constructor(act) {
    this.node = el("div", "desk");
    const head = el("div", "head");
    this.name = el("span", "round-name", "");
    this.lossy = el("strong", "lossy", "");
    this.lossy.hidden = true;
    this.legend = el("span", "legend");
    head.append(this.name, this.lossy, this.legend);
    const who = el("div", "who");
    this.typist = this.role("draft");
    this.editor = this.role("target");
    who.append(this.typist.node, this.editor.node);
    this.board = new Board(act);
    this.tree = new Tree(act);
    this.node.append(head, who, this.board.node, this.tree.node);
  }

  role(kind) {
    const node = el("div", `role ${kind}`);
    const name = el("b", "", ""), does = el("span", "does", ""), time = el("span", "time", "");
    const stack = new Stack();
    node.append(name, does, time, stack.node);
    return { node, name, does, time, stack };
  }

  // Who they are, as far as the run says.
  introduce({ manner }) {
    setText(this.typist.name, manner.who);
    setText(this.typist.does, manner.does);
    setText(this.editor.name, "Target model");
    setText(this.editor.does, manner.checks);
    const { draft, check } = layersOf(manner);
    const which = manner.kind === "layer-skip" ? " Which of them was settled when the pair was calibrated; the picture shows how many." : "";
    this.typist.stack.draw(draft, manner.layers ? `${manner.does}.${which}` : "");
    this.editor.stack.draw(check, manner.kind === "early-exit" ? "The pale layers were gone through while drafting." : "");
    setText(this.lossy, manner.lossy);
    this.lossy.hidden = !manner.lossy;
    this.lossy.title = manner.lossy ? "This rule gives up the target's distribution: the text is not what the target alone would write." : "";
  }

  wear(looks) {
    if (this.looks) return;
    this.looks = looks;
    this.legend.append(...Object.entries(looks).map(([name, look]) => el("span", `key ${name}`, `${look.mark} ${look.word}`)));
  }

  draw(run, position) {
    this.introduce(run);
    this.node.dataset.kind = run.manner.kind;
    const round = run.rounds[position.index];
    const asTree = run.branching || run.manner.kind === "tree";
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
    setText(this.name, `Round ${position.index + 1}${of}${run.replanned ? ` · replanned for k = ${run.k}` : read ? ` · prompt read in ${milliseconds(read.target_s + read.draft_s)}` : ""}`);
    const how = run.replanned ? REPLANNED : read ? `Before the first round: ${milliseconds(read.target_s)} by the target, ${milliseconds(read.draft_s)} by the drafter. Not part of the speedup.` : "";
    if (this.name.title !== how) this.name.title = how;
    const priced = run.replanned ? ", priced" : "";
    setText(this.typist.time, position.phase === "draft" || !drafts ? "" : `${milliseconds(round.draft)} for ${drafts}${priced}`);
    setText(this.editor.time, position.phase === "draft" ? "" : `${milliseconds(round.verify)}, one pass${priced}`);
    this.typist.node.classList.toggle("active", position.phase === "draft");
    this.editor.node.classList.toggle("active", position.phase !== "draft");
  }
}
