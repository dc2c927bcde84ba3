// The opening of a first visit: the same text written twice, which plays by itself for fifteen seconds, then two buttons. Where less motion is asked
// for it stands at its end, and plays only if somebody presses Play.

import { button, el, iconButton, listenWhileShown, named, setText, wearPlaying } from "../shared/dom.ts";
import { Frames, wantsStillness } from "../shared/frames.ts";
import { explain } from "../shared/notes.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { DuelLanes } from "./duel_lanes.ts";
import { LENGTH_S, momentAt, planOf } from "./duel_timeline.ts";
import { asText, captionAt, closingWords, HOW_SLOW, SOURCE, TITLE } from "./duel_words.ts";

type Way = "why" | "own" | "close";

export class Duel {
  root: HTMLElement;
  run: Run;
  choose: (way: Way) => void;
  plan: Plan;
  closing: HTMLDivElement;
  frames: Frames;
  lanes = new DuelLanes();
  playing = !wantsStillness();
  clock = this.playing ? 0 : LENGTH_S;
  caption = el("p", { class: "duel-caption", "aria-hidden": "true" });
  play = iconButton("play", word("Play (space)"), () => this.toggle());

  constructor(root: HTMLElement, run: Run, choose: (way: Way) => void) {
    this.root = root;
    this.run = run;
    this.choose = choose;
    this.plan = planOf(run);
    this.closing = closingLine(run);
    this.play.classList.add("duel-button");
    this.lanes.begin(run);
    this.build();
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.frames.ask();
    listenWhileShown(root, document, "keydown", (event: KeyboardEvent) => this.hear(event), true);
  }

  build() {
    const shut = { class: "duel-button duel-close", "aria-label": word("Close (Escape)") };
    const close = button(shut, "×", () => this.choose("close"));
    const source = el("p", "duel-source", word(SOURCE));
    explain(source, word(HOW_SLOW));
    const why = button("duel-button duel-why", word("Why does it work?"), () => this.choose("why"));
    const own = button("duel-button", word("Your own prompt"), () => this.choose("own"));
    named(this.root, "region", word(TITLE));
    this.root.replaceChildren(
      el("div", "duel-head", el("h2", "duel-title", word(TITLE)), close),
      source,
      el("p", "unseen", asText(this.run)),
      el("div", { class: "duel-picture", "aria-hidden": "true" }, this.lanes.node),
      el("div", "duel-says", this.caption, this.closing),
      el("div", "duel-buttons", why, own, this.play),
    );
  }

  /** Keys inside it, and where nothing else has the focus: before the stage below hears them. */
  hear(event: KeyboardEvent) {
    const inside = event.composedPath().includes(this.root);
    if (this.root.hidden || (!inside && event.target !== document.body)) return;
    const onButton = inside && event.composedPath()[0] instanceof HTMLButtonElement;
    if (event.key === "Escape") this.choose("close");
    else if (event.key === " " && !onButton) this.toggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  toggle() {
    const again = this.clock >= LENGTH_S;
    if (again) this.clock = 0;
    this.playing = again || !this.playing;
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
