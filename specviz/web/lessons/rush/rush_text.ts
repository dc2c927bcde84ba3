// What the picture of rush hour says. Pure, no DOM.

import { number, percent } from "../../shared/labels.ts";
import { fixed, parted, several, word } from "../../shared/words.ts";
import { machineWords } from "../checking/cost_text.ts";
import { timeWords } from "../common/quantities.ts";
import type { WordPart } from "../lesson_types.ts";
import { DRAFTED, type RushTable } from "./rush_costs.ts";
import type { RushScene } from "./rush_timeline.ts";

/** The scene in a sentence, with how its figures were measured or calculated. */
export function rushParts(table: RushTable, { guests, drafting }: RushScene): WordPart[] {
  const cost = table.costOf(guests, drafting);
  const machine = machineWords(table.costs);
  const took = { text: timeWords(cost.draft_s + cost.pass_s), how: machine };
  const plain = { text: timeWords(cost.plain_s), how: machine };
  const speed = { text: speedWords(cost.speedup), how: "" };
  speed.how = word(
    "Calculated: {tokens} tokens for a guest on average, times the {plain} of a plain pass, divided by the {took} of the round. {machine}",
    { tokens: fixed(cost.tokens, 2), plain: plain.text, took: took.text, machine },
  );
  if (drafting === "none")
    return parted(word("Nobody gets a draft: a pass takes {plain}. Speedup {speed}."), { plain, speed });
  if (drafting === "some")
    return parted(word("Only letters get a draft: a round takes {took}, a plain pass {plain}. Speedup {speed}."), {
      took,
      plain,
      speed,
    });
  const sentence = several(
    guests,
    "{n} [guest|guests]: a round with drafts takes {took}, a plain pass {plain}. Speedup {speed}.",
  );
  return parted(sentence, { took, plain, speed });
}

export function speedWords(speedup: number) {
  return `${fixed(speedup, 2)}×`;
}

/** How much arithmetic is left, as a share. */
export function spareWords(spare: number) {
  return word("Spare arithmetic: {share}", { share: percent(spare) });
}

/** Where the figures come from, and what is calculated. */
export function rushNote({ costs, easy, hard }: RushTable) {
  const given = { k: DRAFTED, easy: number(easy.alpha, 2), hard: number(hard.alpha, 2) };
  const rates = word(
    "The speedup is calculated from these times: {k} drafted tokens, half of the guests with letters (α = {easy}), half with stories (α = {hard}).",
    given,
  );
  return `${machineWords(costs)} ${rates}`;
}
