// The site's pages without a component that has an address: the first page, the teacher's page and the bug zoo's game.

import { button, el, linkTo, setText } from "../shared/dom.ts";
import { fixed } from "../shared/words.ts";
import { to } from "./address.ts";
import { commands, openCommands } from "./dialogs.ts";
import { load, ownHtml, type Reader, showPart, type ZooPair } from "./loading.ts";

const WAYS = ["learn", "runs", "race", "zoo", "teach"];
/** The chapter that answers why it works. */
const WHY = "editor";

/** What it is about, the same text written twice, and the ways in. */
export async function frontPage(page: HTMLElement, _: string[], reader: Reader) {
  const { say } = reader;
  const duel = el("div");
  const ways = WAYS.map((name) =>
    el("li", "", linkTo(to(name), "card", el("b", "", say(name)), el("span", "", say(`${name}_says`)))),
  );
  page.append(el("h1", "big", say("title")), el("p", "lead", say("says")), duel, el("ul", "ways", ...ways));
  const choose = (__: string, way: string) => {
    if (way === "why") location.hash = to("learn", WHY, 1);
    else if (way === "own") openCommands(reader);
  };
  await showPart(duel, "duel", reader, { recording: await load("title-run") }, { setTriggerValue: choose });
  return {};
}

/** A plan, which chapter for whom, questions with answers, exercises, the handout. */
export async function teachPage(page: HTMLElement, _: string[], reader: Reader) {
  const { say, language } = reader;
  const { html, language: written, handout: sheet } = await load(`teach-${language}`);
  const plan = ownHtml(html);
  plan.lang = written;
  for (const link of plan.querySelectorAll("a")) link.href = to("learn", ...link.hash.split("/").slice(2));
  const handout = linkTo(sheet, "learn-button main", say("handout"));
  const head = [el("h1", "", say("teach")), el("p", "lead", say("teach_says"))];
  page.append(...head, handout, plan, ...commands(reader, "needs_room"));
  return {};
}

const score = { right: 0, answered: 0 };

/** A run of the game, with its numbers as this language writes them. */
function pictureOf(html: string) {
  const picture = ownHtml(html);
  for (const number of picture.querySelectorAll(".number")) {
    const digits = number.textContent.split(".")[1]?.length ?? 0;
    setText(number, fixed(Number(number.textContent), digits));
  }
  return picture;
}

/** The bug zoo's game: two recorded runs of tiny models, one of them with a bug. Which one? `number`: of the pair, from 1. */
export async function zooPage(page: HTMLElement, [number]: string[], { say, language }: Reader) {
  const pairs: ZooPair[] = await load(`zoo-${language}`);
  const named = /^\d{1,4}$/.test(number ?? "") ? Number(number) - 1 : -1;
  const at = pairs[named] ? named : Math.floor(Math.random() * pairs.length);
  const { mark, clue, what, settings, ...runs } = pairs[at];
  const broken = ((at * 2654435761) >>> 7) % 2 ? "right" : "left"; // the same for everybody who follows a link to this pair
  const answer = el("div", { class: "answer", role: "status" });
  const sides = ["left", "right"].map((side) => {
    const choose = button("learn-button main", say(side), () => guess(side));
    const head = el("div", "twin-head", choose);
    const picture = pictureOf(runs[side === broken ? "broken" : "honest"]);
    const run = el("section", { class: "twin", "aria-label": say(`${side}_run`) }, head, picture);
    return { side, run, head, picture };
  });
  const guess = (side: string) => {
    score.answered += 1;
    score.right += Number(side === broken);
    const nextAt = (at + 1 + Math.floor(Math.random() * (pairs.length - 1))) % pairs.length;
    const next = linkTo(to("zoo", nextAt + 1), "learn-button main", say("another"));
    const verdict = el("p", "verdict", `${say(`${side === broken ? "yes" : "no"}_${broken}`)} ${clue}`);
    answer.append(verdict, el("p", "", what), el("p", "learn-faint", say("score", score)), next);
    for (const column of sides) column.head.replaceChildren(el("b", "", column.side === broken ? mark : say("honest")));
    sides.find(({ side }) => side === broken)?.picture.replaceWith(pictureOf(runs.found));
    next.focus();
  };
  const both = el("div", "twins", ...sides.map(({ run }) => run));
  page.append(el("h1", "", say("zoo_asks")), el("p", "learn-faint", say("zoo_about", { settings })), answer, both);
  return {};
}
