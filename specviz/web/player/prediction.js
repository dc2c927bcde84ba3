// Predict: the viewer says how many drafts will be accepted before the verdicts are shown, and reads the answer for as long as he
// likes; a score is kept.

/** @import { Plan, Position, Run } from "../shared/types" */

import { button, el, reveal, setText } from "../shared/dom.js";
import { branches } from "../shared/round.js";
import { word } from "../shared/words.js";
import { clockOf, HAIR, lastMomentOf, roundAt } from "./schedule.js";

export class Prediction {
  /** @param {() => void} goOn called after a bet, and when the answer has been read. */
  constructor(goOn) {
    this.goOn = goOn;
    this.on = false;
    this.words = el("span", "bets-words", "");
    this.choices = el("span", "bets-choices");
    this.node = el("div", { class: "bets", hidden: true }, this.words, this.choices);
    this.score = el("span", "score", "");
    this.onward = button({ class: "chip onward", hidden: true }, word("Go on (Space)"), () => this.goOn());
    /** @type {Map<number, { guess: number, right: number, read: boolean }>} */
    this.guesses = new Map();
    this.drawnFor = -1;
  }

  clear() {
    this.guesses = new Map();
    this.drawnFor = -1;
  }

  /**
   * Where the clock must wait on its way from `from` to `to`: for a bet, or until its answer has been read. Null where it need not.
   * @param {Run} run
   * @param {Plan} plan
   * @param {number} from
   * @param {number} to
   */
  waitBetween(run, plan, from, to) {
    if (!this.on || !run.rounds.length) return null;
    const last = roundAt(plan, Math.min(to, plan.end));
    for (let index = roundAt(plan, Math.min(from, plan.end)); index <= last; index += 1) {
      const at = this.askingAt(run, plan, index) ?? this.answeringAt(plan, index);
      if (at !== null && at >= from - HAIR / 2 && at <= to) return at;
    }
    return null;
  }

  /**
   * When the bet on a round is open; null where there is none.
   * @param {Run} run
   * @param {Plan} plan
   * @param {number} index
   */
  askingAt(run, plan, index) {
    const round = run.rounds[index];
    if (this.guesses.has(index) || !round.drafted.length || round.covered || branches(round)) return null;
    return clockOf(plan, index, "judge") - HAIR;
  }

  /**
   * When the answer to the bet on a round is left standing; null where it has been read, and where there is none.
   * @param {Plan} plan
   * @param {number} index
   */
  answeringAt(plan, index) {
    return this.guesses.get(index)?.read === false ? lastMomentOf(plan, index) : null;
  }

  /**
   * Whether a bet is open at this moment of the clock.
   * @param {Run} run
   * @param {Plan} plan
   * @param {Position} position
   * @param {number} clock
   */
  asks(run, plan, position, clock) {
    if (!this.on || position.index < 0) return false;
    const at = this.askingAt(run, plan, position.index);
    return at !== null && Math.abs(clock - at) < 2 * HAIR;
  }

  /**
   * Whether the clock stands where the answer to a bet is read; not in the last round, where it stands anyway.
   * @param {Plan} plan
   * @param {Position} position
   * @param {number} clock
   */
  answers(plan, { index }, clock) {
    if (!this.on || !this.guesses.has(index) || index + 1 >= plan.starts.length) return false;
    return Math.abs(clock - lastMomentOf(plan, index)) < 2 * HAIR;
  }

  /** @param {Run} run @param {number} index @param {number} guess */
  bet(run, index, guess) {
    const round = run.rounds[index];
    if (this.guesses.has(index) || guess > round.drafted.length) return;
    this.guesses.set(index, { guess, right: round.accepted.length, read: false });
    this.goOn();
  }

  /** @param {Run} run @param {Position} position @param {{ asking: boolean, answering: boolean }} state */
  draw(run, position, { asking, answering }) {
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

  /**
   * A button for each number of drafts that may be accepted.
   * @param {Run} run
   * @param {number} index
   */
  offer(run, index) {
    setText(this.words, word("How many guesses will be accepted?"));
    const buttons = Array.from({ length: run.rounds[index].drafted.length + 1 }, (_, n) => {
      const named = { class: "chip", "aria-label": word("{n} accepted", { n }) };
      return button(named, String(n), () => this.bet(run, index, n));
    });
    this.choices.replaceChildren(...buttons);
  }

  /**
   * The outcome of the bet on this round, once the verdicts are shown; empty where there was none.
   * @param {Position} position
   */
  outcome(position) {
    const bet = this.guesses.get(position.index);
    if (!this.on || !bet || !position.landed) return "";
    const said =
      bet.guess === bet.right
        ? word("You said {guess}: right.", { guess: bet.guess })
        : word("You said {guess}, it was {right}.", { guess: bet.guess, right: bet.right });
    return `${said} `;
  }
}
