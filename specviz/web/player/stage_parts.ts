// The parts of the stage: what it is built of, what their controls do, and which of them a lesson leaves out.

import { button, el, named, setText } from "../shared/dom.ts";
import type { Looks } from "../shared/json_types.ts";
import { heard } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { Desk } from "./desk.ts";
import { EndCard } from "./end_card.ts";
import { FiguresDial } from "./figures_dial.ts";
import { KeysHelp } from "./keys_help.ts";
import { Manuscript } from "./manuscript.ts";
import { clockAtEngine } from "./moment_clock.ts";
import { OpeningTitle } from "./opening_title.ts";
import type { Playhead } from "./playhead.ts";
import { Prediction } from "./prediction.ts";
import { RecutText } from "./recut_text.ts";
import { summaryOf } from "./stage_text.ts";
import { TimeLanes } from "./time_lanes.ts";
import { listenToTokens } from "./token_events.ts";
import { TokenFlight } from "./token_flight.ts";
import { Transport } from "./transport.ts";
import { TwoLanes } from "./two_lanes.ts";
import { type Focus, WhyDrawer } from "./why_drawer.ts";

/** What the controls of the parts do to the stage. */
interface StageActs {
  move: (how: (head: Playhead) => void) => void;
  turn: (how: (head: Playhead) => void) => void;
  step: (how: (head: Playhead) => void) => void;
  askWhy: (index: number | null, slot: Slot) => void;
  closeWhy: () => void;
  point: (slot: Slot | null) => void;
  togglePlay: () => void;
  togglePredict: () => void;
  toggleCards: () => void;
  readonly paired: boolean;
  showRounds: (on: boolean) => void;
  redraw: () => void;
}

export class StageParts {
  stage: StageActs;
  upper = el("div", "upper");
  speech = el("div", "speech");
  note = el("p", "note");
  dial = new FiguresDial();
  manuscript = new Manuscript();
  why = new WhyDrawer(() => this.stage.closeWhy());
  desk = new Desk();
  flight = new TokenFlight();
  caption = el("p", "caption", "");
  spoken = new SpokenRounds();
  bets = new Prediction(() => this.stage.move((head) => head.resume()));
  lanes = new TimeLanes(
    (seconds) => this.stage.turn((head) => head.seekOn(clockAtEngine(head.run, head.plan, seconds))),
    () => this.stage.redraw(),
  );
  title = new OpeningTitle(() => this.stage.turn((head) => head.seek(0, true)));
  transport = new Transport({
    back: () => this.stage.turn((head) => head.step(-1)),
    toggle: () => this.stage.togglePlay(),
    next: () => this.stage.step((head) => head.step(1)),
    scrub: (share) => this.stage.turn((head) => head.seekOn(head.plan.end * share)),
    pace: (name) => this.stage.turn((head) => head.setPace(name)),
  });
  end = new EndCard({
    again: () => this.stage.turn((head) => head.seek(0, true)),
    shut: () => (this.stage.paired ? this.stage.showRounds(true) : this.end.close()),
  });
  help = new KeysHelp();
  predictChip = button("chip predict", word("Predict"), () => this.stage.togglePredict());
  cardsChip = button("chip cards-open", word("Cards"), () => this.stage.toggleCards());
  recut = new RecutText();
  pair = new TwoLanes();
  pairChip = button("chip pair", "", () => this.stage.showRounds(this.stage.paired));
  helpChip = button({ class: "chip keys-open", "aria-label": word("Keys (?)") }, "?", () => this.help.toggle());

  constructor(root: HTMLElement, stage: StageActs) {
    this.stage = stage;
    for (const node of [this.cardsChip, this.predictChip]) node.setAttribute("aria-pressed", "false");
    this.arrange(root);
    listenToTokens(root, stage);
  }

  arrange(root: HTMLElement) {
    root.tabIndex = 0;
    named(root, "region", word("Speculative decoding, round by round"));
    this.upper.append(this.dial.node, this.manuscript.node, this.why.node);
    const toggles = [this.pairChip, this.cardsChip, this.predictChip, this.helpChip];
    const chips = el("div", "chips", this.bets.onward, this.bets.score, ...toggles);
    this.speech.append(this.caption, this.bets.node, chips);
    const lower = [this.lanes.node, this.transport.node, this.help.node, this.spoken.node];
    const over = [this.end.node, this.flight.node, this.title.node, this.recut.node];
    root.replaceChildren(this.note, this.pair.node, this.upper, this.desk.node, this.speech, ...lower, ...over);
  }

  /** The text as the stage, or the round as cards below it: a tree stands in the text, or on the desk. */
  layOut(root: HTMLElement, paged: boolean) {
    if (root.classList.contains("paged") === paged) return;
    root.classList.toggle("paged", paged);
    this.cardsChip.setAttribute("aria-pressed", String(!paged));
    (paged ? this.manuscript.under : this.desk.node).append(this.desk.tree.node);
    this.desk.tree.inText = paged;
    this.desk.tree.key = "";
    this.manuscript.follow();
  }

  /** Where in the text that stands which the drawer is about; the caret where it does not stand yet. */
  placeOf(run: Run, focus: Focus | null) {
    const round = focus ? run.rounds[focus.index] : undefined;
    if (!focus || !round) return undefined;
    const node = this.desk.tree.placeOf(focus.slot);
    return this.manuscript.placeOf(round, focus.slot) ?? node ?? this.manuscript.caret;
  }

  /** Leave out the parts with these names, and show all others. */
  hide(names: string[]) {
    const parts = {
      dial: this.dial.node,
      lanes: this.lanes.node,
      transport: this.transport.node,
      pace: this.transport.pace,
      cards: this.cardsChip,
      predict: this.predictChip,
      keys: this.helpChip,
      legend: this.desk.legend,
      caption: this.caption,
    };
    for (const [name, node] of Object.entries(parts)) node.classList.toggle("stripped", names.includes(name));
  }
}

/** What a screen reader hears: each round that is shown long enough, and the end. */
class SpokenRounds {
  node = el("p", { class: "unseen", "aria-live": "polite" }, "");
  /** What was said last, and whether that was the end of the run. */
  said = "";
  ended = false;

  clear() {
    this.said = "";
    this.ended = false;
    setText(this.node, "");
  }

  /** @param words `now` is said instead of a round; `first` stands before a round's own sentence; `end` is empty before the end. */
  draw(
    run: Run,
    looks: Looks,
    { index, joined }: Position,
    { now, first, end }: Record<"now" | "first" | "end", string>,
  ) {
    const turn = now || (joined ? String(index) : "");
    if (this.said === turn && (!end || this.ended)) return;
    this.said = turn;
    this.ended = Boolean(end);
    setText(this.node, heard(now || end || (joined ? first + summaryOf(run, looks, index) : "")));
  }
}
