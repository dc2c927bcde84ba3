// Chapter "Rush hour": guests fill a batch, the spare arithmetic vanishes and the speedup sinks; routing and switching off bring it back.

import { button } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, several, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Sentence, UnseenTable } from "../common/measured_parts.ts";
import { Dragger, legendOf } from "../common/widgets.ts";
import type { RushData } from "../lesson_types.ts";
import { GUESTS, RushTable } from "./rush_costs.ts";
import { RushPicture } from "./rush_picture.ts";
import { rushNote, rushParts, speedWords } from "./rush_text.ts";
import { clockOfArrival, rushEnd, rushSceneAt } from "./rush_timeline.ts";

class Rush {
  frames: Frames;
  sentence = new Sentence("measured-headline");
  picture = new RushPicture();
  dragger = new Dragger(word("guests in one batch"), { min: 0, max: GUESTS.length - 1, step: 1, page: 2 }, (index) =>
    this.hold(clockOfArrival(index)),
  );
  again = button("chip", word("Play again"), () => this.play());
  table = new UnseenTable();
  data: RushData | null = null;
  recorded: RushTable | null = null;
  clock = 0;
  playing = false;

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    this.again.classList.add("stream-again");
    const legend = legendOf([
      ["target", "■", word("the target's own token")],
      ["accepted", "■", word("drafted and accepted, on average")],
      ["rejected", "■", word("drafted and paid for nothing")],
    ]);
    body.append(this.sentence.node, this.picture.picture.node, legend, this.dragger.node, this.again, this.table.node);
    this.frames = new Frames(body, (passed) => this.tick(passed));
  }

  show(data: RushData) {
    const recorded = new RushTable(data.costs, data.dots);
    this.data = data;
    this.recorded = recorded;
    this.dragger.node.hidden = data.mode !== "rush hour";
    this.again.hidden = data.mode === "one guest";
    this.table.fill(
      word("The speedup at every number of guests"),
      [word("guests in one batch"), word("speedup")],
      GUESTS.map((guests) => [String(guests), speedWords(recorded.costOf(guests, "all").speedup)]),
    );
    this.clock = wantsStillness() ? rushEnd(data.mode) : 0;
    this.playing = true;
    this.frames.rest();
  }

  play() {
    this.clock = 0;
    this.playing = true;
    this.frames.rest();
  }

  /** Show a moment, and stay there. */
  hold(clock: number) {
    this.clock = clock;
    this.playing = false;
    this.frames.rest();
  }

  tick(passed: number) {
    const { data, recorded } = this;
    if (!data || !recorded) return false;
    if (this.playing) this.clock += passed;
    const scene = rushSceneAt(data.mode, this.clock);
    const parts = rushParts(recorded, scene);
    this.again.disabled = this.playing && !scene.ended;
    this.sentence.say(parts);
    this.picture.picture.name(parts.map((part) => (typeof part === "string" ? part : part.text)).join(""));
    this.dragger.show(GUESTS.indexOf(scene.guests), several(scene.guests, "{n} guest", "{n} guests"));
    this.picture.draw(recorded, scene);
    return this.playing && !scene.ended;
  }

  note() {
    return this.recorded ? rushNote(this.recorded) : "";
  }
}

export const mountRush = mountOf(english("Rush hour on a server"), (body) => new Rush(body));
