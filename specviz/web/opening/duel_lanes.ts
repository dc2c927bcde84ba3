// Two lanes at one moment: above, the large model alone; below, the same with a draft. The picture of the opening, and of a run that a visitor began.

import { el, isNew, setText } from "../shared/dom.ts";
import { tokenLabel } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { chipsAt, type DuelMoment } from "./duel_timeline.ts";
import { ALONE, HOW_TOKENS_COME, helpedBy } from "./duel_words.ts";

/** What stands for a token that ends the text. */
export const END = "end";
const AWAITED = "?";

/** Of a longer prompt the end is shown, in characters. */
const PROMPT_END = 80;

type Lane = ReturnType<typeof laneOf>;

export class DuelLanes {
  alone = laneOf("alone");
  helped = laneOf("helped");
  keys = HOW_TOKENS_COME.map(({ how, words }) => el("span", `duel-key ${how}`, el("i"), word(words)));
  node = el("div", "duel-lanes", this.alone.node, this.helped.node, el("p", "duel-keys", ...this.keys));

  /** What stays the same while a run plays; tokens that are known from the beginning keep their room. */
  begin(run: Run) {
    const most = Math.max(0, ...run.rounds.map((round) => round.start + round.drafted.length + 1));
    const prompt = run.prompt.trim().replace(/\s+/g, " ");
    for (const lane of [this.alone, this.helped]) {
      setText(lane.prompt, prompt.length > PROMPT_END ? `… ${prompt.slice(-PROMPT_END)}` : prompt);
      for (const chip of lane.chips.splice(0)) chip.remove();
    }
    lengthen(this.alone, run.plain.ids.length);
    lengthen(this.helped, most);
  }

  draw(run: Run, moment: DuelMoment) {
    const { alone, helped } = this;
    title(alone, { name: word(ALONE.name), does: moment.paced ? word(ALONE.paced) : word(ALONE.does) });
    title(helped, helpedBy(run));
    const { plain, ids } = run;
    const same = run.drafterText.certain && !run.drafterText.lossy && !plain.done ? ids : []; // what it will write
    lengthen(alone, Math.min(moment.plainPasses + 1, plain.done ? plain.ids.length : Infinity));
    alone.chips.forEach((chip, i) => {
      const is =
        i < moment.plainPasses ? "written" : i === moment.plainPasses && moment.plainShare > 0 ? "under-way" : "";
      fill(chip, run, plain.ids[i] ?? same[i] ?? null, is);
    });
    alone.node.style.setProperty("--pass", String(moment.plainShare));
    count(alone, moment.plainPasses, plain.done && moment.plainPasses === plain.rounds.length);
    const shown = chipsAt(run, moment);
    lengthen(helped, shown.length);
    helped.chips.forEach((chip, i) => {
      const known = shown[i];
      const passed = moment.phase === "pass" && i >= moment.written ? " under-way" : "";
      if (known) fill(chip, run, known.token, `${known.is}${passed}`);
      else fill(chip, run, run.ids[i] ?? null, i < run.ids.length ? "" : "past");
    });
    helped.node.style.setProperty("--pass", String(moment.phase === "pass" ? moment.share : 0));
    count(helped, moment.passes, run.complete && moment.passes === run.rounds.length);
  }

  /** Mark in both lanes the first token that differs; -1 for none. */
  mark(index: number) {
    for (const { chips } of [this.alone, this.helped])
      for (const [i, chip] of chips.entries()) chip.classList.toggle("differs", i === index);
  }
}

/** A token at its position; one that is not written yet keeps its room, one past the end of the text has none. */
function fill(chip: HTMLElement, { bytes }: Run, token: number | null, is: string) {
  if (!isNew(chip, token, is)) return;
  const label = token === null ? AWAITED : bytes.get(token)?.special ? END : tokenLabel(bytes, token).text;
  chip.className = `duel-chip ${label.startsWith("·") ? "word " : ""}${is}`.trim();
  setText(chip, label.replace(/^·(?=.)/, ""));
}

function laneOf(kind: string) {
  const name = el("b");
  const does = el("span");
  const value = el("b", "", "0");
  const unit = el("span");
  const time = el("small");
  const prompt = el("span", "duel-prompt");
  const line = el("div", "duel-line", prompt);
  const counter = el("p", "duel-count", value, unit, time);
  const node = el("div", `duel-lane ${kind}`, el("p", "duel-name", name, does), counter, line);
  return { node, name, does, value, unit, time, prompt, line, chips: [] as HTMLElement[] };
}

function title({ name, does }: Lane, said: { name: string; does: string }) {
  setText(name, said.name);
  setText(does, said.does);
}

function lengthen({ chips, line }: Lane, most: number) {
  while (chips.length < most) {
    const chip = el("span", "duel-chip");
    chips.push(chip);
    line.append(chip);
  }
}

function count({ node, value, unit }: Lane, passes: number, finished: boolean) {
  setText(value, String(passes));
  setText(unit, ` ${several(passes, "[pass|passes]")}`);
  node.classList.toggle("finished", finished);
}
