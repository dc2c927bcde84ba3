// Predict: the viewer says how many drafts will be accepted before the verdicts are shown, and reads the answer for as long as he
// likes; a score is kept.

import { button, el, reveal, setText } from "../shared/dom.ts";
import type { Position } from "../shared/phases.ts";
import { branches } from "../shared/round.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import type { Playhead } from "./playhead.ts";
import { clockOf, HAIR, lastMomentOf, roundAt } from "./schedule.ts";

export class Prediction {
  goOn: () => void;
  on = false;
  words = el("span", "bets-words", "");
  choices = el("span", "bets-choices");
  node = el("div", { class: "bets", hidden: true }, this.words, this.choices);
  score = el("span", "score", "");
  onward = button({ class: "chip onward", hidden: true }, word("Go on (Space)"), () => this.goOn());
  guesses: Map<number, { guess: number; right: number; read: boolean }> = new Map();
  drawnFor = -1;

  /** @param goOn called after a bet, and when the answer has been read. */
  constructor(goOn: () => void) {
    this.goOn = goOn;
  }

  clear() {
    this.guesses = new Map();
    this.drawnFor = -1;
  }

  /** Where the clock must wait on its way from `from` to `to`: for a bet, or until its answer has been read. Null where it need not. */
  waitBetween(run: Run, plan: Plan, from: number, to: number) {
    if (!this.on || !run.rounds.length) return null;
    const last = roundAt(plan, Math.min(to, plan.end));
    for (let index = roundAt(plan, Math.min(from, plan.end)); index <= last; index += 1) {
      const at = this.askingAt(run, plan, index) ?? this.answeringAt(plan, index);
      if (at !== null && at >= from - HAIR / 2 && at <= to) return at;
    }
    return null;
  }

  /** When the bet on a round is open; null where there is none. */
  askingAt(run: Run, plan: Plan, index: number) {
    const round = run.rounds[index];
    if (this.guesses.has(index) || !round.drafted.length || round.covered || branches(round)) return null;
    return clockOf(plan, index, "judge") - HAIR;
  }

  /** When the answer to the bet on a round is left standing; null where it has been read, and where there is none. */
  answeringAt(plan: Plan, index: number) {
    return this.guesses.get(index)?.read === false ? lastMomentOf(plan, index) : null;
  }

  /** Whether a bet is open at this moment of the clock. */
  asks({ run, plan, clock }: Playhead, position: Position) {
    if (!this.on || position.index < 0) return false;
    const at = this.askingAt(run, plan, position.index);
    return at !== null && Math.abs(clock - at) < 2 * HAIR;
  }

  /** Whether the clock stands where the answer to a bet is read; not in the last round, where it stands anyway. */
  answers({ plan, clock }: Playhead, { index }: Position) {
    if (!this.on || !this.guesses.has(index) || index + 1 >= plan.starts.length) return false;
    return Math.abs(clock - lastMomentOf(plan, index)) < 2 * HAIR;
  }

  bet(run: Run, index: number, guess: number) {
    const round = run.rounds[index];
    if (this.guesses.has(index) || guess > round.drafted.length) return;
    this.guesses.set(index, { guess, right: round.accepted.length, read: false });
    this.goOn();
  }

  draw(head: Playhead, position: Position) {
    const { run, playing } = head;
    const asking = !playing && this.asks(head, position);
    const answering = !playing && this.answers(head, position);
    const all = [...this.guesses.values()];
    const hits = all.filter(({ guess, right }) => guess === right).length;
    this.score.hidden = !this.on;
    setText(
      this.score,
      !this.on
        ? ""
        : run.branching
          ? word("no predictions for trees")
          : word("{hits} of {all} right", { hits, all: all.length }),
    );
    reveal(this.node, asking);
    const guess = answering ? this.guesses.get(position.index) : undefined;
    if (guess) guess.read = true;
    if (this.onward.hidden === answering) reveal(this.onward, answering);
    const index = asking ? position.index : -1;
    if (this.drawnFor === index) return;
    this.drawnFor = index;
    if (asking) this.offer(run, index);
  }

  /** A button for each number of drafts that may be accepted. */
  offer(run: Run, index: number) {
    setText(this.words, word("How many guesses will be accepted?"));
    const buttons = Array.from({ length: run.rounds[index].drafted.length + 1 }, (_, n) => {
      const named = { class: "chip", "aria-label": word("{n} accepted", { n }) };
      return button(named, String(n), () => this.bet(run, index, n));
    });
    this.choices.replaceChildren(...buttons);
  }

  /** The outcome of the bet on this round, once the verdicts are shown; empty where there was none. */
  outcome(position: Position) {
    const bet = this.guesses.get(position.index);
    if (!this.on || !bet || !position.landed) return "";
    const sentence =
      bet.guess === bet.right
        ? word("You said {guess}: right.", { guess: bet.guess })
        : word("You said {guess}, it was {right}.", { guess: bet.guess, right: bet.right });
    return `${sentence} `;
  }
}
