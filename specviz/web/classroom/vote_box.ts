// The question of a room on a phone: buttons while it is open, bars once it is over.

import { button, el } from "../shared/dom.ts";
import { percent } from "../shared/labels.ts";
import { explain, hideNote } from "../shared/notes.ts";
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

/** @param vote is called with a question's id and the index of a choice */
export function voteBox(vote: (poll: string, choice: number) => void) {
  const node = el("section", { class: "vote", tabindex: -1, hidden: true, "aria-live": "polite" });
  let open = ""; // the open question whose buttons are there

  const buttonsOf = ({ id, choices }: Question, mine: number | null) => {
    const buttons = choices.map((choice, index) => {
      const state = { class: "vote-choice", "aria-pressed": String(mine === index) };
      return button(state, inWords(choice), () => vote(id, index));
    });
    return el("div", "vote-choices", ...buttons);
  };

  const show = (question: Question | null, mine: number | null) => {
    node.hidden = !question;
    const before = open;
    open = question?.state === "open" ? JSON.stringify([question.id, question.choices, language()]) : "";
    if (!question) {
      node.replaceChildren();
    } else if (open && open === before) {
      // others vote while somebody presses: the buttons stay the same ones
      for (const [index, choice] of node.querySelectorAll(".vote-choice").entries())
        choice.setAttribute("aria-pressed", String(mine === index));
      node.querySelector(".vote-note")?.replaceWith(countOf(question));
    } else {
      const focused = [...node.querySelectorAll("button")].findIndex((choice) => choice.matches(":focus"));
      const asked = el("h2", "vote-question", inWords(question.question));
      hideNote(); // which may lie over it
      if (open) node.replaceChildren(asked, buttonsOf(question, mine), countOf(question));
      else node.replaceChildren(asked, barsOf(question), countOf(question), outcomeOf(question, mine));
      if (focused >= 0) (node.querySelectorAll("button")[focused] ?? node).focus();
    }
  };
  return { node, show };
}

function barsOf({ choices, counts, claimed, answer }: Question) {
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  const said = choices.map((choice, index) => `${inWords(choice)}: ${votes(counts?.[index] ?? 0)}.`);
  const table = el("div", "vote-bars", el("p", "unseen", said.join(" ")));
  choices.forEach((choice, index) => {
    const count = counts?.[index] ?? 0;
    const right = answer === index;
    const track = el("span", "vote-track", el("span", { class: "vote-bar", "--share": total ? count / total : 0 }));
    if (claimed.length) {
      explain(track, word("the draft’s own probability: {percent}", { percent: percent(claimed[index]) }));
      track.append(el("span", { class: "vote-claim", "--share": claimed[index] }));
    }
    const name = el(
      "span",
      { class: right ? "vote-right" : "", "aria-hidden": "true" },
      `${right ? "✓ " : ""}${inWords(choice)}`,
    );
    table.append(name, track, el("span", { "aria-hidden": "true" }, String(count)));
  });
  return table;
}

function votes(n: number) {
  return several(n, "{n} [vote|votes]");
}

function countOf({ voted, claimed, state }: Question) {
  const mark = claimed.length && state !== "open" ? ` ${word("The orange mark is the draft’s own probability.")}` : "";
  const people = several(voted, "{n} [person|people] voted.", { n: voted.toLocaleString(language()) });
  return el("p", "vote-note", `${people}${mark}`);
}

function outcomeOf({ answer, choices }: Question, mine: number | null) {
  if (answer === null) return el("p", "vote-note", "");
  const right = el("span", "unseen", `${word("Right: {choice}.", { choice: inWords(choices[answer]) })} `);
  if (mine === null) return el("p", "vote-note", right);
  const said = word("You said “{choice}”.", { choice: inWords(choices[mine]) });
  return el("p", "vote-outcome", right, mine === answer ? word("You were right.") : said);
}
