// Chapter "Rush hour": guests fill a batch, the spare arithmetic vanishes and the speedup sinks; routing and switching off bring it back.

import { english, several, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Sentence, textOf, UnseenTable } from "../common/measured_parts.ts";
import { Replay } from "../common/replay.ts";
import { Dragger, legendOf } from "../common/widgets.ts";
import type { ExplorableData, RushMode } from "../lesson_types.ts";
import { GUESTS, RushTable } from "./rush_costs.ts";
import { RushPicture } from "./rush_picture.ts";
import { rushNote, rushParts, speedWords } from "./rush_text.ts";
import { clockOfArrival, rushEnd, rushSceneAt } from "./rush_timeline.ts";

class Rush {
  sentence = new Sentence("measured-headline");
  picture = new RushPicture("rush-picture");
  dragger = new Dragger(word("guests in one batch"), { min: 0, max: GUESTS.length - 1, step: 1, page: 2 }, (index) =>
    this.replay.seek(clockOfArrival(index), false),
  );
  replay: Replay;
  table = new UnseenTable();
  mode: RushMode = "one guest";
  recorded: RushTable | null = null;

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    const legend = legendOf([
      ["target", "■", word("the target's own token")],
      ["accepted", "■", word("drafted and accepted, on average")],
      ["rejected", "■", word("drafted and paid for nothing")],
    ]);
    this.replay = new Replay(body, (clock) => this.draw(clock));
    const controls = [this.dragger.node, this.replay.node];
    body.append(this.sentence.node, this.picture.node, legend, ...controls, this.table.node);
  }

  show({ picture, costs, dots }: ExplorableData) {
    const recorded = new RushTable(costs, dots);
    const mode = picture as RushMode;
    this.mode = mode;
    this.recorded = recorded;
    this.dragger.node.hidden = mode !== "rush hour";
    this.replay.node.hidden = mode === "one guest";
    this.table.fill(
      word("The speedup at every number of guests"),
      [word("guests in one batch"), word("speedup")],
      GUESTS.map((guests) => [String(guests), speedWords(recorded.costOf(guests, "all").speedup)]),
    );
    this.replay.begin(rushEnd(mode));
  }

  draw(clock: number) {
    const { mode, recorded } = this;
    if (!recorded) return true;
    const scene = rushSceneAt(mode, clock);
    const parts = rushParts(recorded, scene);
    this.sentence.say(parts);
    this.dragger.show(GUESTS.indexOf(scene.guests), several(scene.guests, "{n} [guest|guests]"));
    this.picture.present({ table: recorded, scene }, textOf(parts));
    return scene.ended;
  }

  note() {
    return this.recorded ? rushNote(this.recorded) : "";
  }
}

export const mountRush = mountOf(english("Rush hour on a server"), (body) => new Rush(body));
