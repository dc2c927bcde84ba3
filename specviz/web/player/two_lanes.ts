// A run that a visitor began, in the picture of the opening: the large model alone and with a draft, on one clock. Its rounds are one press away.

import { DuelLanes } from "../opening/duel_lanes.ts";
import { momentOf, REST_S } from "../opening/duel_timeline.ts";
import { followEnd, isNew, named, setText } from "../shared/dom.ts";
import { divergenceOf, isTrusted } from "../shared/figures.ts";
import { wantsStillness } from "../shared/frames.ts";
import { duration } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";

/** A run of more tokens is set smaller. */
const LONG = 40;

export class TwoLanes {
  lanes = new DuelLanes();
  node = this.lanes.node;
  /** Engine seconds since the end of the run, in which plain decoding goes on. */
  rest = 0;

  constructor() {
    for (const [{ line }, name] of [
      [this.lanes.alone, word("The text of the large model alone")],
      [this.lanes.helped, word("The text with a small draft")],
    ] as const) {
      line.tabIndex = 0; // it scrolls
      named(line, "group", name);
    }
  }

  /** Let plain decoding go on after the end of the run; returns whether it has more to write. */
  advance(run: Run, { ended, engine }: Position, passed: number) {
    if (!ended || !run.complete) {
      this.rest = 0;
      return false;
    }
    const { plain } = run;
    const left = Math.max(0, (plain.ends.at(-1) ?? 0) - engine);
    if (!plain.done) {
      this.rest += passed;
      return !run.over;
    }
    this.rest = wantsStillness() ? left : Math.min(left, this.rest + (passed * left) / REST_S);
    return this.rest < left;
  }

  draw(run: Run, position: Position) {
    if (isNew(this, run.id) || !position.engine) {
      this.lanes.begin(run);
      this.node.classList.toggle("long", run.limit > LONG);
      this.node.style.setProperty("--most", String(run.limit));
    }
    const moment = momentOf(run, position, this.rest);
    const { alone, helped } = this.lanes;
    this.lanes.draw(run, moment);
    this.lanes.mark(moment.closed ? (divergenceOf(run) ?? -1) : -1);
    const timed = isTrusted(run) && run.rounds.length > 0;
    const end = run.plain.done ? (run.plain.ends.at(-1) ?? 0) : moment.engine;
    setText(alone.time, timed ? duration(Math.min(end, moment.engine)) : "");
    setText(helped.time, timed ? duration(position.engine) : "");
    follow(alone, moment.plainPasses);
    follow(helped, moment.written);
    return moment;
  }
}

/** The token that was written last is in view. */
function follow({ line, chips }: DuelLanes["alone"], written: number) {
  const chip = chips[Math.max(0, written - 1)];
  if (chip) followEnd(line, chip);
}
