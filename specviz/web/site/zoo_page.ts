// The bug zoo's game: two recorded runs of tiny models, one of them with a bug. Which one?

import { button, el, linkTo, setText } from "../shared/dom.ts";
import { fixed } from "../shared/words.ts";
import { to } from "./address.ts";
import { load } from "./loading.ts";
import { ownHtml } from "./parts.ts";
import type { Reader } from "./reader.ts";
import type { ZooPair } from "./site_types.ts";

const score = { right: 0, answered: 0 };

/** @param rest the number of the pair, from 1. */
export async function zooPage(page: HTMLElement, [number]: string[], { say, language }: Reader) {
  const pairs: ZooPair[] = await load(`zoo-${language}`);
  const named = /^\d{1,4}$/.test(number ?? "") ? Number(number) - 1 : -1;
  const at = pairs[named] ? named : Math.floor(Math.random() * pairs.length);
  const { mark, clue, what, settings, ...tables } = pairs[at];
  const broken = ((at * 2654435761) >>> 7) % 2 ? "right" : "left"; // the same for everybody who follows a link to this pair
  const answer = el("div", { class: "answer", role: "status" });
  const sides = ["left", "right"].map((side) => {
    const choose = button("learn-button main", say(side), () => guess(side));
    const head = el("div", "twin-head", choose);
    const table = ownHtml(side === broken ? tables.broken : tables.honest);
    table.tabIndex = 0; // where it is wider than its column, the arrow keys scroll it
    const run = el("section", { class: "twin", "aria-label": say(`${side}_run`) }, head, table);
    for (const cell of run.querySelectorAll("td")) {
      const digits = /^\d+\.(\d+)$/.exec(cell.textContent)?.[1].length;
      if (digits) setText(cell, fixed(Number(cell.textContent), digits));
    }
    return { side, run, head };
  });
  const guess = (side: string) => {
    score.answered += 1;
    score.right += Number(side === broken);
    const nextAt = (at + 1 + Math.floor(Math.random() * (pairs.length - 1))) % pairs.length;
    const next = linkTo(to("zoo", nextAt + 1), "learn-button main", say("another"));
    const verdict = el("p", "verdict", `${say(`${side === broken ? "yes" : "no"}_${broken}`)} ${clue}`);
    answer.append(verdict, el("p", "", what), el("p", "learn-faint", say("score", score)), next);
    for (const column of sides) column.head.replaceChildren(el("b", "", column.side === broken ? mark : say("honest")));
    next.focus();
  };
  const runs = el("div", "twins", ...sides.map(({ run }) => run));
  page.append(el("h1", "", say("zoo_asks")), el("p", "learn-faint", say("zoo_about", { settings })), answer, runs);
  return {};
}
