// The parts of the stage: what it is built of, what their controls do, and which of them a lesson leaves out.

import { button, el, named } from "../shared/dom.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { Desk } from "./desk.ts";
import { EndCard } from "./end_card.ts";
import { FiguresDial } from "./figures_dial.ts";
import { togglePlay } from "./keys.ts";
import { KeysHelp } from "./keys_help.ts";
import { Manuscript } from "./manuscript.ts";
import { OpeningTitle } from "./opening_title.ts";
import { clockAtEngine } from "./position.ts";
import { Prediction } from "./prediction.ts";
import { SpokenRounds } from "./spoken_rounds.ts";
import type { Stage } from "./stage.ts";
import { TimeLanes } from "./time_lanes.ts";
import { TokenFlight } from "./token_flight.ts";
import { Transport } from "./transport.ts";
import { type Focus, WhyDrawer } from "./why_drawer.ts";

export class StageParts {
  manuscript: Manuscript;
  why: WhyDrawer;
  desk: Desk;
  bets: Prediction;
  lanes: TimeLanes;
  title: OpeningTitle;
  transport: Transport;
  end: EndCard;
  predictChip: HTMLButtonElement;
  cardsChip: HTMLButtonElement;
  roundsChip: HTMLButtonElement;
  upper = el("div", "upper");
  speech = el("div", "speech");
  note = el("p", "note");
  dial = new FiguresDial();
  flight = new TokenFlight();
  caption = el("p", "caption", "");
  spoken = new SpokenRounds();
  help = new KeysHelp();
  helpChip = button("chip keys-open", "?", () => this.help.toggle());

  constructor(stage: Stage) {
    this.manuscript = new Manuscript({
      open: (index, slot) => stage.openWhy(index, slot),
      point: (slot) => stage.point(slot),
    });
    this.why = new WhyDrawer(() => stage.closeWhy());
    this.desk = new Desk({ point: (slot) => stage.point(slot), open: (slot) => stage.openWhy(null, slot) });
    this.bets = new Prediction(() => stage.move((head) => head.resume()));
    this.lanes = new TimeLanes(
      (seconds) => stage.turn((head) => head.seekOn(clockAtEngine(stage.run, head.plan, seconds))),
      () => stage.frames.ask(),
    );
    this.title = new OpeningTitle(() => stage.turn((head) => head.seek(0, true)));
    this.transport = new Transport({
      back: () => stage.turn((head) => head.step(-1)),
      toggle: () => togglePlay(stage),
      next: () => stage.step((head) => head.step(1)),
      scrub: (share) => stage.turn((head) => head.seekOn(head.plan.end * share)),
      pace: (name) => stage.turn((head) => head.setPace(name)),
    });
    this.end = new EndCard({
      open: (index, slot) => stage.openWhy(index, slot),
      again: () => stage.turn((head) => head.seek(0, true)),
    });
    this.predictChip = button("chip predict", word("Predict"), () => stage.togglePredict());
    this.cardsChip = button("chip cards-open", word("Cards"), () => stage.toggleCards());
    this.roundsChip = button("chip rounds", word("Show round borders"), () => stage.toggleRounds());
    this.helpChip.setAttribute("aria-label", word("Keys (?)"));
    for (const node of [this.cardsChip, this.predictChip, this.roundsChip]) node.setAttribute("aria-pressed", "false");
    this.arrange(stage.root);
  }

  arrange(root: HTMLElement) {
    root.tabIndex = 0;
    named(root, "region", word("Speculative decoding, round by round"));
    this.upper.append(this.dial.node, this.manuscript.node, this.why.node);
    const chips = el("div", "chips");
    chips.append(this.bets.onward, this.bets.score, this.cardsChip, this.predictChip);
    chips.append(this.roundsChip, this.helpChip);
    this.speech.append(this.caption, this.bets.node, chips);
    const lower = [this.lanes.node, this.transport.node, this.help.node, this.spoken.node];
    const over = [this.end.node, this.flight.node, this.title.node];
    root.replaceChildren(this.note, this.upper, this.desk.node, this.speech, ...lower, ...over);
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
      rounds: this.roundsChip,
      keys: this.helpChip,
      legend: this.desk.legend,
      caption: this.caption,
    };
    for (const [name, node] of Object.entries(parts)) node.classList.toggle("stripped", names.includes(name));
  }
}
