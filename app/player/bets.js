// Predict: the viewer says how many drafts will be accepted before the verdicts are shown; a score is kept.

class Bets {
  // `placed` is called after a bet.
  constructor(placed) {
    this.placed = placed;
    this.on = false;
    this.node = el("div", "bets");
    this.node.hidden = true;
    this.words = el("span", "bets-words", "");
    this.choices = el("span", "bets-choices");
    this.node.append(this.words, this.choices);
    this.score = el("span", "score", "");
    this.clear();
  }

  clear() {
    this.guesses = new Map();
    this.drawnFor = -1;
  }

  // Where the clock must wait for a bet on its way from `from` to `to`; null where nothing is asked.
  waitBetween(run, plan, from, to) {
    if (!this.on || !run.rounds.length) return null;
    const last = roundAt(plan, Math.min(to, plan.end));
    for (let index = roundAt(plan, Math.min(from, plan.end)); index <= last; index += 1) {
      const at = this.askingAt(run, plan, index);
      if (at !== null && at >= from - HAIR / 2 && at <= to) return at;
    }
    return null;
  }

  askingAt(run, plan, index) {
    const round = run.rounds[index];
    if (this.guesses.has(index) || !round.drafted.length || branches(round)) return null;
    return clockOf(run, plan, index, "judge") - HAIR;
  }

  // Whether a bet is asked for at this place of the clock.
  asks(run, plan, position, clock) {
    if (!this.on || position.index < 0) return false;
    const at = this.askingAt(run, plan, position.index);
    return at !== null && Math.abs(clock - at) < 2 * HAIR;
  }

  bet(run, index, guess) {
    const right = run.rounds[index].accepted.length;
    if (this.guesses.has(index) || guess > run.rounds[index].drafted.length) return;
    this.guesses.set(index, { guess, right });
    this.placed();
  }

  draw(run, position, asking) {
    const all = [...this.guesses.values()];
    const hits = all.filter(({ guess, right }) => guess === right).length;
    this.score.hidden = !this.on;
    setText(this.score, !this.on ? "" : run.branching ? "no bets on trees" : `${hits} of ${all.length} right`);
    reveal(this.node, asking);
    if (!asking) {
      this.drawnFor = -1;
      return;
    }
    const drafts = run.rounds[position.index].drafted.length;
    if (this.drawnFor === position.index) return;
    this.drawnFor = position.index;
    setText(this.words, "How many will be accepted?");
    this.choices.replaceChildren(...Array.from({ length: drafts + 1 }, (_, n) => {
      const button = el("button", "chip", String(n));
      button.type = "button";
      button.setAttribute("aria-label", `${n} accepted`);
      button.addEventListener("click", () => this.bet(run, position.index, n));
      return button;
    }));
  }

  // What became of the bet on this round, once the verdicts are told; empty where there was none.
  outcome(position) {
    const bet = this.guesses.get(position.index);
    if (!this.on || !bet || !position.landed) return "";
    return bet.guess === bet.right ? `You said ${bet.guess}: right. ` : `You said ${bet.guess}, it was ${bet.right}. `;
  }
}
