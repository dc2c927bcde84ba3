// The current round: who is at work, how long each took, and the drafts as a chain or as a tree.

import { el, setText } from "../shared/dom.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import { duration } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import { isResting, stagedAt } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { headWords, passesOf, readsWords } from "../shared/trained_heads.ts";
import { english, several, word } from "../shared/words.ts";
import { ChainBoard } from "./chain_board.ts";
import { AlignmentView, BitsView } from "./draft_origins.ts";
import { DraftTree } from "./draft_tree.ts";
import { HeadTower } from "./head_tower.ts";
import { LayerStack, layersOf, OWN_LAYER } from "./layer_stack.ts";
import { MARK } from "./target_side.ts";

/** The mark and the words of a round in which drafting does not pay. */
const RESTING = english("‖ not drafting");
const GIVES_UP = english(
  "This rule gives up the target's distribution: the text is not what the target alone would write.",
);

export class Desk {
  board = new ChainBoard();
  tree = new DraftTree();
  name = el("span", "round-name", "");
  lossy = el("strong", { class: "lossy", hidden: true }, "");
  legend = el("span", "legend");
  typist = role("draft");
  editor = role("target");
  tower = new HeadTower();
  strip = new AlignmentView();
  bits = new BitsView();
  node = el("div", "desk");
  looks: Looks | null = null;
  introduced: Run | null = null;

  constructor() {
    const head = el("div", "head", this.name, this.lossy, this.legend);
    this.typist.node.append(this.tower.boxes);
    const who = el("div", "who", this.typist.node, this.editor.node, this.tower.lines);
    this.typist.node.append(this.bits.node);
    this.node.append(head, this.strip.node, who, this.board.node, this.tree.node);
  }

  /** Who they are, as far as the run says. */
  introduce(run: Run) {
    const { drafterText, card } = run;
    if (run === this.introduced) return;
    this.introduced = run;
    setText(this.typist.name, drafterText.who);
    setText(this.typist.does, drafterText.does);
    setText(this.editor.name, word("Target model"));
    setText(this.editor.does, drafterText.checks);
    const { draft, check } = layersOf(drafterText, card);
    this.typist.stack.draw(draft);
    this.editor.stack.draw(check);
    explain(this.typist.name, draft.includes(OWN_LAYER) ? layersWords(draft) : headWords(run));
    explain(this.editor.name, check.includes(OWN_LAYER) ? layersWords(check) : stackWords(drafterText, check));
    setText(this.lossy, drafterText.lossy);
    this.lossy.hidden = !drafterText.lossy;
    explain(this.lossy, drafterText.lossy ? word(GIVES_UP) : "");
  }

  /** The legend. */
  wear(looks: Looks) {
    if (this.looks) return;
    this.looks = looks;
    this.legend.append(el("span", "key ours", `${MARK} ${word("what the target would write")}`));
    for (const name of new Set(Object.values(looks).map((look) => look.word))) {
      const same = Object.entries(looks).filter(([, look]) => look.word === name);
      const key = el("span", `key ${same[0][0]}`, `${same.map(([, look]) => look.mark).join(" ")} ${name}`);
      explain(key, same[0][1].means);
      this.legend.append(key);
    }
  }

  /**
   * @param how `covered`: the target's choices stay hidden until their verdicts, because of a question;
   *   `paged`: the guesses stand in the text, and a chain has no cards.
   */
  draw(run: Run, position: Position, { covered, paged }: { covered: boolean; paged: boolean }) {
    this.introduce(run);
    this.node.dataset.picture = run.drafterText.picture;
    const round = run.rounds[position.index];
    this.tower.draw(run, round, position);
    const asTree = run.branching || run.drafterText.shape === "tree";
    if (!paged) {
      this.strip.draw(run, round, position);
    }
    this.bits.draw(run);
    this.board.node.hidden = asTree || paged;
    this.tree.node.hidden = !asTree || (paged && !round?.drafted.length);
    this.node.dataset.phase = round ? position.phase : "idle";
    this.node.dataset.staged = round ? stagedAt(round, position) : "";
    if (asTree) this.tree.draw(run, round, position, { looks: this.looks ?? {}, covered });
    else if (!paged) this.board.draw(run, round, position, { looks: this.looks ?? {}, covered });
    if (round) this.drawHead(run, position, round);
    else this.clear();
  }

  /** Where the target's own token of a round stands on the desk. */
  ownToken(round: Round | undefined) {
    if (!round || (this.board.node.hidden && this.tree.inText)) return undefined;
    const slot = this.board.node.hidden ? this.tree.closing : this.board.columns[round.accepted.length]?.closing;
    return slot?.text;
  }

  clear() {
    for (const node of [this.name, this.typist.time, this.editor.time]) setText(node, "");
    for (const { node } of [this.typist, this.editor]) node.classList.remove("active", "resting");
  }

  drawHead(run: Run, position: Position, round: Round) {
    const drafts = round.drafted.length;
    const drafting = position.phase === "draft";
    const resting = isResting(round);
    const untimed = !round.verify_s; // as in what a server reported
    const values = { round: position.index + 1, rounds: run.rounds.length };
    const name = run.complete ? word("Round {round} of {rounds}", values) : word("Round {round}", values);
    setText(this.name, name);
    explain(this.name, promptWords(run));
    setText(this.typist.time, resting ? word(RESTING) : drafting || !drafts || untimed ? "" : draftTime(run, round));
    setText(this.editor.time, drafting || untimed ? "" : word("{time}, one pass", { time: duration(round.verify_s) }));
    this.typist.node.classList.toggle("active", drafting && !resting);
    this.typist.node.classList.toggle("resting", resting);
    this.editor.node.classList.toggle("active", !drafting);
  }
}

function role(kind: string) {
  const parts = { name: el("b", "", ""), does: el("span", "does", ""), time: el("span", "time", "") };
  const stack = new LayerStack();
  const node = el("div", `role ${kind}`, parts.name, parts.does, parts.time, stack.node);
  return { node, stack, ...parts };
}

function layersWords({ length }: string[]) {
  return several(length, "A bar for each of its {n} [layer|layers].");
}

/** What a bar of the target's stack is. */
function stackWords({ reads }: Run["drafterText"], check: string[]) {
  if (reads) {
    return word("The target's layers, the first at the bottom. The head reads {states}.", {
      states: readsWords(reads),
    });
  }
  return check.includes("done") ? word("The pale layers have already run while drafting.") : "";
}

/** How long the drafting took, and that several tokens come from one pass of a head. */
function draftTime(run: Run, round: Round) {
  const values = { time: duration(round.draft_s), drafts: round.drafted.length };
  return round.drafted.length > 1 && passesOf(run.drafterText, round) === 1
    ? word("{time} for {drafts}, one pass", values)
    : word("{time} for {drafts}", values);
}

/** How long reading the prompt took, beside the name of the round. */
function promptWords({ prefill }: Run) {
  if (!prefill?.target_s) return "";
  return word("Before the first round: {target} by the target, {draft} by the drafter. Not part of the speedup.", {
    target: duration(prefill.target_s),
    draft: duration(prefill.draft_s),
  });
}
