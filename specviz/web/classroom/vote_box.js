// The question of a room on a phone: buttons while it is open, bars once it is over.

import { el } from "../shared/dom.js";

/**
 * A question as the audience hears of it.
 * @typedef {{ id: string, run: string, round: number, question: string, choices: string[], state: "open" | "closed" | "resolved",
 *   voted: number, counts: number[] | null, claimed: number[], answer: number | null }} Question
 */

/** @param {number} count */
const people = (count) => (count === 1 ? "1 person" : `${count.toLocaleString("en")} people`);

export class VoteBox {
  /** @param {(poll: string, choice: number) => Promise<void>} vote */
  constructor(vote) {
    this.vote = vote;
    this.node = el("section", "vote");
    this.node.hidden = true;
    this.node.setAttribute("aria-live", "polite");
  }

  /**
   * @param {Question | null} question
   * @param {number | null} mine
   */
  show(question, mine) {
    this.node.hidden = !question;
    if (!question) {
      this.node.replaceChildren();
      return;
    }
    const focused = [...this.node.querySelectorAll("button")].findIndex((each) => each.matches(":focus"));
    const asked = el("h2", "vote-question", question.question);
    if (question.state === "open") this.node.replaceChildren(asked, this.buttons(question, mine), this.count(question));
    else this.node.replaceChildren(asked, this.bars(question), this.count(question), this.outcome(question, mine));
    this.node.querySelectorAll("button")[focused]?.focus();
  }

  /**
   * @param {Question} question
   * @param {number | null} mine
   */
  buttons({ id, choices }, mine) {
    const row = el("div", "vote-choices");
    row.append(
      ...choices.map((choice, index) => {
        const button = el("button", "vote-choice", choice);
        button.type = "button";
        button.setAttribute("aria-pressed", String(mine === index));
        button.addEventListener("click", () => this.vote(id, index));
        return button;
      }),
    );
    return row;
  }

  /** @param {Question} question */
  bars({ choices, counts, claimed, answer }) {
    const total = counts?.reduce((sum, each) => sum + each, 0) ?? 0;
    const table = el("div", "vote-bars");
    choices.forEach((choice, index) => {
      const count = counts?.[index] ?? 0;
      const right = answer === index;
      const track = el("span", "vote-track");
      const bar = el("span", "vote-bar");
      bar.style.width = `${total ? (100 * count) / total : 0}%`;
      track.append(bar);
      if (claimed.length) {
        const claim = el("span", "vote-claim");
        claim.style.left = `${100 * claimed[index]}%`;
        claim.title = `the draft’s own probability: ${Math.round(100 * claimed[index])}%`;
        track.append(claim);
      }
      const name = el("span", right ? "vote-right" : "", `${right ? "✓ " : ""}${choice}`);
      table.append(name, track, el("span", "", String(count)));
    });
    return table;
  }

  /** @param {Question} question */
  count({ voted, claimed, state }) {
    const mark = claimed.length && state !== "open" ? " The orange mark is the draft’s own probability." : "";
    return el("p", "vote-note", `${people(voted)} voted.${mark}`);
  }

  /**
   * @param {Question} question
   * @param {number | null} mine
   */
  outcome({ answer, choices }, mine) {
    if (mine === null || answer === null) return el("p", "vote-note", "");
    return el("p", "vote-outcome", mine === answer ? "You were right." : `You said “${choices[mine]}”.`);
  }
}
