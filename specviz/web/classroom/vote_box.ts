// The question of a room on a phone: buttons while it is open, bars once it is over.

import { button, el } from "../shared/dom.ts";
import { percent } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import { english, language, several, word } from "../shared/words.ts";

/** A question as the audience hears of it. */
type Question = {
  id: string;
  run: string;
  round: number;
  question: string;
  choices: string[];
  state: "open" | "closed" | "resolved";
  voted: number;
  counts: number[] | null;
  claimed: number[];
  answer: number | null;
};

/** What the server asks of a run, in English, and the choice that it adds. */
const FORMS = [
  english("How many of the {k} drafted tokens will be accepted?"),
  english("Which token will the target write after “{tail}”?"),
  english("Which token will the target write?"),
  english("another one"),
];

/** A question or a choice in the reader's language, if it is one of the server's own; a lesson's and a presenter's stay as they are. */
export function inWords(text: string) {
  for (const form of FORMS) {
    const [before, gap, after = ""] = form.split(/\{(\w+)\}/);
    const inside = gap ? text.slice(before.length, text.length - after.length) : "";
    if (text === before + inside + after) return word(form, gap ? { [gap]: inside } : {});
  }
  return text;
}

export class VoteBox {
  vote: (poll: string, choice: number) => Promise<void>;
  node = el("section", { class: "vote", hidden: true, "aria-live": "polite" });
  /** The open question whose buttons are there. */
  open = "";

  constructor(vote: (poll: string, choice: number) => Promise<void>) {
    this.vote = vote;
  }

  show(question: Question | null, mine: number | null) {
    this.node.hidden = !question;
    const open = question?.state === "open" ? JSON.stringify([question.id, question.choices, language()]) : "";
    if (question && open && open === this.open) {
      this.update(question, mine);
      return;
    }
    this.open = open;
    if (!question) {
      this.node.replaceChildren();
      return;
    }
    const focused = [...this.node.querySelectorAll("button")].findIndex((each) => each.matches(":focus"));
    const asked = el("h2", "vote-question", inWords(question.question));
    if (question.state === "open") this.node.replaceChildren(asked, this.buttons(question, mine), this.count(question));
    else this.node.replaceChildren(asked, this.bars(question), this.count(question), this.outcome(question, mine));
    this.node.querySelectorAll("button")[focused]?.focus();
  }

  /** Others vote while somebody presses: the buttons stay the same ones. */
  update(question: Question, mine: number | null) {
    for (const [index, node] of this.node.querySelectorAll(".vote-choice").entries()) {
      node.setAttribute("aria-pressed", String(mine === index));
    }
    this.node.querySelector(".vote-note")?.replaceWith(this.count(question));
  }

  buttons({ id, choices }: Question, mine: number | null) {
    const buttons = choices.map((choice, index) => {
      const state = { class: "vote-choice", "aria-pressed": String(mine === index) };
      return button(state, inWords(choice), () => this.vote(id, index));
    });
    return el("div", "vote-choices", ...buttons);
  }

  bars({ choices, counts, claimed, answer }: Question) {
    const total = counts?.reduce((sum, each) => sum + each, 0) ?? 0;
    const table = el("div", "vote-bars");
    choices.forEach((choice, index) => {
      const count = counts?.[index] ?? 0;
      const right = answer === index;
      const track = el("span", "vote-track", el("span", { class: "vote-bar", "--share": total ? count / total : 0 }));
      if (claimed.length) {
        const claim = el("span", { class: "vote-claim", "--share": claimed[index] });
        explain(track, word("the draft’s own probability: {percent}", { percent: percent(claimed[index]) }));
        track.append(claim);
      }
      const name = el("span", right ? "vote-right" : "", `${right ? "✓ " : ""}${inWords(choice)}`);
      table.append(name, track, el("span", "", String(count)));
    });
    return table;
  }

  count({ voted, claimed, state }: Question) {
    const mark =
      claimed.length && state !== "open" ? ` ${word("The orange mark is the draft’s own probability.")}` : "";
    const people = several(voted, "{n} [person|people] voted.", { n: voted.toLocaleString(language()) });
    return el("p", "vote-note", `${people}${mark}`);
  }

  outcome({ answer, choices }: Question, mine: number | null) {
    if (mine === null || answer === null) return el("p", "vote-note", "");
    return el(
      "p",
      "vote-outcome",
      mine === answer ? word("You were right.") : word("You said “{choice}”.", { choice: inWords(choices[mine]) }),
    );
  }
}
