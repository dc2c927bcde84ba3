// Rush hour: what a round of a full server costs and brings, from the recorded table of passes over several guests; what is to be seen of it at a
// moment of the viewer's clock; and what is said of that. Pure, no DOM.

import { duration, number } from "../../shared/labels.ts";
import { fixed, parted, several, word } from "../../shared/words.ts";
import { machineWords } from "../checking/cost_curve.ts";
import { tokensPerPass } from "../common/theory.ts";
import type { RecordedCosts, RunDot, RushMode, WordPart } from "../lesson_types.ts";

/** The numbers of guests that were measured, and how many tokens are drafted for each. */
export const GUESTS = [1, 2, 4, 8, 16, 32, 64];
export const DRAFTED = 4;
export const MOST = GUESTS[GUESTS.length - 1];

/** Who gets a draft: all guests, those whose text is easy to guess, or nobody. Half of the guests have such a text. */
type Drafting = "all" | "some" | "none";

/** The tokens that a pass reads for each guest on average: half of the guests with five and half with one are as many as three for each. */
const TOKENS = { all: DRAFTED + 1, some: DRAFTED / 2 + 1, none: 1 };
/** The most tokens for each guest that were measured. */
const FULLEST = 9;

/** The recorded passes, and the acceptance rates of two recorded runs: of a text that is easy to guess, and of one that is not. */
export class RushTable {
  costs: RecordedCosts;
  easy: RunDot;
  hard: RunDot;

  constructor(costs: RecordedCosts, [easy, hard]: RunDot[]) {
    this.costs = costs;
    this.easy = easy;
    this.hard = hard;
  }

  /** Seconds of a pass over so many tokens for each of so many guests. */
  passOf(guests: number, tokens: number) {
    return secondsOf(this.costs.guests, guests, tokens);
  }

  /**
   * The share of a pass in which no arithmetic is needed. For a token that takes as long as in the fullest pass that was measured, where nothing
   * is spare.
   */
  spareOf(guests: number, drafting: Drafting) {
    const tokens = TOKENS[drafting];
    const token_s = this.passOf(MOST, FULLEST) / (MOST * FULLEST);
    return Math.max(0, 1 - (guests * tokens * token_s) / this.passOf(guests, tokens));
  }

  /** Of a round: seconds of all of it, and of a pass over one token for each guest; tokens for a guest on average. */
  costOf(guests: number, drafting: Drafting) {
    const plain_s = this.passOf(guests, 1);
    if (drafting === "none") return { round_s: plain_s, plain_s, tokens: 1, speedup: 1 };
    const all = drafting === "all";
    const draft_s = DRAFTED * secondsOf(this.costs.guest_drafts, all ? guests : guests / 2, 1);
    const round_s = draft_s + this.passOf(guests, TOKENS[drafting]);
    const tokens = (tokensFor(this.easy) + (all ? tokensFor(this.hard) : 1)) / 2;
    return { round_s, plain_s, tokens, speedup: (tokens * plain_s) / round_s };
  }
}

/** How many tokens a round brings a guest who has a draft, by the formula of the speedup. */
export function tokensFor({ alpha }: RunDot) {
  return tokensPerPass(alpha, DRAFTED);
}

function secondsOf(points: RecordedCosts["guests"], guests: number, tokens: number) {
  return points.find((point) => point.guests === guests && point.tokens === tokens)?.pass_s ?? Number.NaN;
}

/**
 * `guests`: how many share the pass, `before`: how many did a moment ago, `share`: how far the change has come, from 0 to 1. `drafting` was
 * "all" before the change.
 */
export type RushScene = { guests: number; before: number; drafting: Drafting; share: number; ended: boolean };

/** Seconds of the viewer between two arrivals; how long the full server is seen before something changes, and how long that takes. */
const ARRIVAL_S = 1.3;
const [HOLD_S, CHANGE_S] = [1.8, 1.2];

export function rushEnd(mode: RushMode) {
  if (mode === "one guest") return 0;
  return mode === "rush hour" ? ARRIVAL_S * GUESTS.length : HOLD_S + CHANGE_S;
}

/** The clock at which the arrival of so many guests (an index of `GUESTS`) is over. */
export function clockOfArrival(index: number) {
  return ARRIVAL_S * (index + 1);
}

/** @param clock seconds of the viewer. */
export function rushSceneAt(mode: RushMode, clock: number): RushScene {
  const ended = clock >= rushEnd(mode);
  if (mode === "one guest") return { guests: 1, before: 1, drafting: "all", share: 1, ended };
  if (mode === "rush hour") {
    const index = Math.min(GUESTS.length - 1, Math.max(0, Math.ceil(clock / ARRIVAL_S) - 1));
    const share = Math.min(1, Math.max(0, clock / ARRIVAL_S - index) * 2);
    return { guests: GUESTS[index], before: GUESTS[index - 1] ?? 0, drafting: "all", share, ended };
  }
  const share = Math.min(1, Math.max(0, (clock - HOLD_S) / CHANGE_S));
  const after = mode === "routing" ? "some" : "none";
  return { guests: MOST, before: MOST, drafting: share > 0 ? after : "all", share, ended };
}

/** The scene in a sentence, with how its figures were measured or calculated. */
export function rushParts(table: RushTable, { guests, drafting }: RushScene): WordPart[] {
  const { round_s, plain_s, tokens, speedup } = table.costOf(guests, drafting);
  const machine = machineWords(table.costs);
  const took = { text: duration(round_s), how: machine };
  const plain = { text: duration(plain_s), how: machine };
  const how = word(
    "Calculated: {tokens} tokens for a guest on average, times the {plain} of a plain pass, divided by the {took} of the round. {machine}",
    { tokens: fixed(tokens, 2), plain: plain.text, took: took.text, machine },
  );
  const sentences = {
    all: several(
      guests,
      "{n} [guest|guests]: a round with drafts takes {took}, a plain pass {plain}. Speedup {speed}.",
    ),
    some: word("Only letters get a draft: a round takes {took}, a plain pass {plain}. Speedup {speed}."),
    none: word("Nobody gets a draft: a pass takes {plain}. Speedup {speed}."),
  };
  return parted(sentences[drafting], { took, plain, speed: { text: speedWords(speedup), how } });
}

export function speedWords(speedup: number) {
  return `${fixed(speedup, 2)}×`;
}

/** Where the figures come from, and what is calculated. */
export function rushNote({ costs, easy, hard }: RushTable) {
  const rates = word(
    "The speedup is calculated from these times: {k} drafted tokens, half of the guests with letters (α = {easy}), half with stories (α = {hard}).",
    { k: DRAFTED, easy: number(easy.alpha, 2), hard: number(hard.alpha, 2) },
  );
  return `${machineWords(costs)} ${rates}`;
}
