// The controls of the viewer's clock: play, a step back and forward, the position and the speed. The other steps have keys only.

import { el, iconButton, isNew, pickerOf, setText, wearPlaying } from "../shared/dom.ts";
import type { PaceName } from "../shared/json_types.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import { hasRejection } from "../shared/round.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { Scrubber } from "../shared/scrubber.ts";
import { english, fixed, word } from "../shared/words.ts";
import type { Playhead } from "./playhead.ts";
import { endOf, PACES, slowdownOf } from "./schedule.ts";

/** A function for each control. */
type TransportActions = Record<"back" | "toggle" | "next", () => void> & {
  scrub: (share: number) => void;
  pace: (name: PaceName) => void;
};

const FACTOR = english(
  "How much longer than the engine took the whole run is shown. At the paces Slow and Lesson a round takes as long as its sentences take to read.",
);

export class Transport {
  play: HTMLButtonElement;
  pace: HTMLSelectElement;
  node = el("div", "transport");
  marks = el("div", { class: "marks", "aria-hidden": "true" });
  scrubber: Scrubber;
  factor = el("span", "factor", "");

  constructor(act: TransportActions) {
    const back = iconButton("back", word("Step back (left arrow)"), act.back);
    this.play = iconButton("play", word("Play (space)"), act.toggle);
    const next = iconButton("next", word("Step forward (right arrow)"), act.next);
    this.scrubber = new Scrubber(word("Position in the run"), act.scrub);
    const track = el("div", "track", this.scrubber.node, this.marks);
    const paces = Object.entries(PACES).map(([name, pace]) => [name, word(pace.word)] as [string, string]);
    this.pace = pickerOf("pace", word("Speed"), paces, paces[0][0], (name) => act.pace(name as PaceName));
    explain(this.factor, word(FACTOR));
    this.node.append(back, this.play, next, track, this.pace, this.factor);
  }

  /** A mark for every rejection, under the scrubber; while bets are open only as far as the round `shown`. */
  mark(run: Run, plan: Plan, shown: number) {
    if (!isNew(this, run.id, run.rounds.length, plan.pace, plan.end, shown)) return;
    const marks = run.rounds.flatMap((round, index) => {
      if (index > shown || !hasRejection(round)) return [];
      return el("i", { "--at": plan.end > 0 ? (plan.starts[index] + endOf(plan, index)) / 2 / plan.end : 0 });
    });
    this.marks.replaceChildren(...marks);
  }

  /** @param shown the last round whose rejection may be marked */
  draw({ run, plan, clock, playing }: Playhead, position: Position, shown: number) {
    wearPlaying(this.play, playing);
    if (this.pace.value !== plan.pace) this.pace.value = plan.pace;
    const words =
      position.index < 0
        ? word("no round yet")
        : word("round {round} of {rounds}", { round: position.index + 1, rounds: run.rounds.length });
    this.scrubber.draw(plan.end > 0 ? clock / plan.end : 0, words);
    setText(this.factor, motionWords(slowdownOf(run, plan), run.complete));
    this.mark(run, plan, shown);
  }
}

/** One number for the whole run, which is not known while the run grows. */
function motionWords(slowdown: number | null, complete: boolean) {
  if (slowdown === null) return "";
  const [factor, motion] = slowdown < 1 ? [1 / slowdown, word("Fast motion")] : [slowdown, word("Slow motion")];
  if (factor < 1.05) return word("Real time");
  if (!complete) return motion;
  const rounded = Number(factor.toPrecision(2));
  return `${motion}, ${fixed(rounded, String(rounded).split(".")[1]?.length ?? 0)}×`;
}
