// Rush hour: what a round of a full server costs and brings, from the recorded table of passes over several guests. Pure, no DOM.

import { tokensPerPass } from "../common/theory.ts";
import type { PassPoint, RecordedCosts, RunDot } from "../lesson_types.ts";

/** The numbers of guests that were measured, and how many tokens are drafted for each. */
export const GUESTS = [1, 2, 4, 8, 16, 32, 64];
export const DRAFTED = 4;

/** Who gets a draft: all guests, those whose text is easy to guess, or nobody. Half of the guests have such a text. */
export type Drafting = "all" | "some" | "none";

/** Of a round: seconds of drafting, of the target's pass, and of a pass over one token for each guest; tokens for a guest on average. */
export type RushCost = { draft_s: number; pass_s: number; plain_s: number; tokens: number; speedup: number };

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

  /** How many tokens a round brings a guest who has a draft, by the formula of the speedup. */
  tokensOf({ alpha }: RunDot) {
    return tokensPerPass(alpha, DRAFTED);
  }

  /** How much of the price of checking a draft the pass does not take: 1 where a longer pass takes no longer. */
  spareOf(guests: number) {
    const plain_s = this.passOf(guests, 1);
    return 1 - Math.max(0, this.passOf(guests, DRAFTED + 1) - plain_s) / (DRAFTED * plain_s);
  }

  costOf(guests: number, drafting: Drafting): RushCost {
    const plain_s = this.passOf(guests, 1);
    const [easy, hard] = [this.easy, this.hard].map((run) => this.tokensOf(run));
    if (drafting === "none") return { draft_s: 0, pass_s: plain_s, plain_s, tokens: 1, speedup: 1 };
    const drafts = drafting === "all" ? guests : guests / 2;
    const draft_s = DRAFTED * secondsOf(this.costs.guest_drafts, drafts, 1);
    // half of the guests with five tokens and half with one are as many tokens as three for each
    const pass_s = this.passOf(guests, drafting === "all" ? DRAFTED + 1 : DRAFTED / 2 + 1);
    const tokens = (easy + (drafting === "all" ? hard : 1)) / 2;
    return { draft_s, pass_s, plain_s, tokens, speedup: (tokens * plain_s) / (draft_s + pass_s) };
  }
}

function secondsOf(points: (PassPoint & { guests: number })[], guests: number, tokens: number) {
  return points.find((point) => point.guests === guests && point.tokens === tokens)?.pass_s ?? Number.NaN;
}
