// What a screen reader hears: each round that is shown long enough, and the end.

import { el, setText } from "../shared/dom.ts";
import type { Looks } from "../shared/json_types.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { summaryOf } from "./stage_text.ts";

export class SpokenRounds {
  node = el("p", { class: "unseen", "aria-live": "polite" }, "");
  /** What was said last: a round, or the end. */
  said: number | "end" = -1;

  clear() {
    this.said = -1;
  }

  /** @param words `first` stands before a round's own sentence; `end` is empty before the end. */
  draw(run: Run, looks: Looks, { index, joined }: Position, { first, end }: { first: string; end: string }) {
    const turn = end ? "end" : index;
    if (!joined || this.said === turn) return;
    this.said = turn;
    setText(this.node, end || first + summaryOf(run, looks, index));
  }
}
