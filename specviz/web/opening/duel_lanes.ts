// The picture of the opening at one moment: above, the large model alone; below, the same with a draft.

import { el, setText } from "../shared/dom.ts";
import { tokenLabel } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { chipsAt, type DuelMoment } from "./duel_timeline.ts";
import { ALONE, helpedBy } from "./duel_words.ts";

/** What stands for a token that ends the text. */
const END = "end";
const AWAITED = "?";

export class DuelLanes {
  run: Run;
  alone: ReturnType<typeof laneOf>;
  helped: ReturnType<typeof laneOf>;
  node: HTMLDivElement;

  constructor(run: Run) {
    this.run = run;
    const most = Math.max(...run.rounds.map((round) => round.start + round.drafted.length + 1), run.plain.ids.length);
    this.alone = laneOf(ALONE, "alone", run, run.plain.ids.length);
    this.helped = laneOf(helpedBy(run), "helped", run, most);
    this.node = el("div", "duel-lanes", this.alone.node, this.helped.node);
  }

  draw(moment: DuelMoment) {
    const { run, alone, helped } = this;
    alone.chips.forEach((chip, i) => {
      const is =
        i < moment.plainPasses ? "written" : i === moment.plainPasses && moment.plainShare > 0 ? "under-way" : "";
      this.fill(chip, run.plain.ids[i], is);
    });
    alone.node.style.setProperty("--pass", String(moment.plainShare));
    count(alone, moment.plainPasses, run.plain.rounds.length);
    const shown = chipsAt(run, moment);
    helped.chips.forEach((chip, i) => {
      const known = shown[i];
      const passed = moment.phase === "pass" && i >= moment.written ? " under-way" : "";
      if (known) this.fill(chip, known.token, `${known.is}${passed}`);
      else this.fill(chip, run.ids[i] ?? null, i < run.ids.length ? "" : "past");
    });
    helped.node.style.setProperty("--pass", String(moment.phase === "pass" ? moment.share : 0));
    count(helped, moment.passes, run.rounds.length);
  }

  /** A token at its position; one that is not written yet keeps its room, one past the end of the text has none. */
  fill(chip: HTMLElement, token: number | null, is: string) {
    const key = `${token} ${is}`;
    if (chip.dataset.key === key) return;
    chip.dataset.key = key;
    const { bytes } = this.run;
    const label = token === null ? AWAITED : bytes.get(token)?.special ? END : tokenLabel(bytes, token).text;
    chip.className = `duel-chip ${label.startsWith("·") ? "word " : ""}${is}`.trim();
    setText(chip, label.replace(/^·(?=.)/, ""));
  }
}

/** @param most tokens that it shows. */
function laneOf({ name, does }: { name: string; does: string }, kind: string, run: Run, most: number) {
  const title = el("p", "duel-name", el("b", "", word(name)), el("span", "", word(does)));
  const value = el("b", "", "0");
  const unit = el("span");
  const counter = el("p", "duel-count", value, unit);
  const chips = Array.from({ length: most }, () => el("span", "duel-chip"));
  const line = el("p", "duel-line", el("span", "duel-prompt", run.prompt.trim().replace(/\s+/g, " ")), ...chips);
  const node = el("div", `duel-lane ${kind}`, title, counter, line);
  return { node, chips, value, unit };
}

function count({ node, value, unit }: ReturnType<typeof laneOf>, passes: number, all: number) {
  setText(value, String(passes));
  setText(unit, ` ${several(passes, "pass", "passes")}`);
  node.classList.toggle("finished", passes === all);
}
