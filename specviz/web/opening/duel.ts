// The opening of a first visit: the same text written twice, which plays by itself for fifteen seconds; then two buttons.

import { button, el, iconButton, listenWhileShown, named, setText, wearPlaying } from "../shared/dom.ts";
import { Frames, wantsStillness } from "../shared/frames.ts";
import { explain } from "../shared/notes.ts";
import { hasRejection } from "../shared/round.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { DuelLanes } from "./duel_lanes.ts";
import { LENGTH_S, momentAt, planOf } from "./duel_timeline.ts";
import { asText, captionAt, closingWords, HOW_SLOW, SOURCE, TITLE } from "./duel_words.ts";

/** How far into a round the first still picture is: in its pass; and the second: at its verdicts. */
const [IN_PASS, AT_VERDICT] = [0.5, 0.75];

export class Duel {
  root: HTMLElement;
  run: Run;
  choose: (way: "why" | "own" | "close") => void;
  plan: Plan;
  closing: HTMLDivElement;
  lanes: DuelLanes;
  frames: Frames;
  clock = 0;
  still: boolean = wantsStillness();
  playing: boolean = !this.still;
  caption = el("p", { class: "duel-caption", "aria-hidden": "true" });
  play = iconButton("play", word("Play (space)"), () => this.toggle());

  constructor(root: HTMLElement, run: Run, choose: (way: "why" | "own" | "close") => void) {
    this.root = root;
    this.run = run;
    this.choose = choose;
    this.plan = planOf(run);
    this.closing = closingLine(run);
    this.play.classList.add("duel-button");
    this.lanes = new DuelLanes();
    this.lanes.begin(run);
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.build();
    if (this.still) this.closing.classList.add("on");
    else this.frames.ask();
    this.listen();
  }

  build() {
    const { run, root, still } = this;
    const shut = { class: "duel-button duel-close", "aria-label": word("Close (Escape)") };
    const close = button(shut, "×", () => this.choose("close"));
    const head = el("div", "duel-head", el("h2", "duel-title", word(TITLE)), close);
    const source = el("p", "duel-source", still ? word("Two real models, recorded.") : word(SOURCE));
    if (!still) explain(source, word(HOW_SLOW));

    const picture = el("div", { class: "duel-picture", "aria-hidden": "true" });
    picture.append(...(still ? this.stills() : [this.lanes.node]));
    const says = el("div", "duel-says", this.caption, this.closing);
    const buttons = el(
      "div",
      "duel-buttons",
      this.button("duel-why", word("Why does it work?"), "why"),
      this.button("", word("Your own prompt"), "own"),
      ...(still ? [] : [this.play]),
    );
    named(root, "region", word(TITLE));
    root.replaceChildren(head, source, el("p", "unseen", asText(run)), picture, says, buttons);
  }

  button(kind: string, text: string, way: "why" | "own") {
    return button(`duel-button ${kind}`, text, () => this.choose(way));
  }

  /** Three moments side by side: the first pass over guesses, the first rejection, the end. */
  stills() {
    const { run, plan } = this;
    const rejected = run.rounds.findIndex(hasRejection);
    const inside = (index: number, share: number): number =>
      plan.starts[index] + share * ((plan.starts[index + 1] ?? plan.end) - plan.starts[index]);
    const moments = [inside(0, IN_PASS), ...(rejected < 0 ? [] : [inside(rejected, AT_VERDICT)]), LENGTH_S];
    return moments.map((seconds) => {
      const lanes = new DuelLanes();
      const moment = momentAt(run, plan, seconds);
      lanes.begin(run);
      lanes.draw(run, moment);
      return el("div", "duel-still", lanes.node, el("p", "duel-caption", captionAt(run, moment)));
    });
  }

  /** Keys inside it, and where nothing else has the focus: before the stage below hears them. */
  listen() {
    const hear = (event: KeyboardEvent) => {
      const inside = event.composedPath().includes(this.root);
      if (this.root.hidden || (!inside && event.target !== document.body)) return;
      const onButton = inside && event.composedPath()[0] instanceof HTMLButtonElement;
      if (event.key === "Escape") this.choose("close");
      else if (event.key === " " && !onButton && !this.still) this.toggle();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    listenWhileShown(this.root, document, "keydown", hear, true);
  }

  toggle() {
    if (this.clock >= LENGTH_S) this.clock = 0;
    else if (this.playing) {
      this.playing = false;
      this.frames.ask();
      return;
    }
    this.playing = true;
    this.frames.rest();
  }

  tick(passed: number) {
    if (this.root.hidden) return false;
    if (this.playing) this.clock = Math.min(LENGTH_S, this.clock + passed);
    if (this.clock >= LENGTH_S) this.playing = false;
    const moment = momentAt(this.run, this.plan, this.clock);
    this.lanes.draw(this.run, moment);
    setText(this.caption, moment.closed ? "" : captionAt(this.run, moment));
    this.closing.classList.toggle("on", moment.closed);
    wearPlaying(this.play, this.playing);
    return this.playing;
  }
}

/** What came out, and how the speedup was measured. */
function closingLine(run: Run) {
  const { says, speedup } = closingWords(run);
  const node = el("div", "duel-closing", el("strong", "", says));
  if (!speedup) return node;
  const { where, value, how } = speedup;
  const figure = el("span", "duel-speedup", el("span", "", `${where}: `), el("b", "", value));
  explain(figure, how);
  node.append(figure);
  return node;
}
