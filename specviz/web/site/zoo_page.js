// The bug zoo's game: two recorded runs of tiny models, one of them with a bug. Which one?

/** @import { ZooPair } from "./types" */
/** @import { Reader } from "./reader.js" */

import { el } from "../shared/dom.js";
import { to } from "./address.js";
import { load } from "./loading.js";
import { ownHtml } from "./own_html.js";

const score = { right: 0, answered: 0 };

/**
 * @param {HTMLElement} page
 * @param {string[]} rest the number of the pair, from 1.
 * @param {Reader} reader
 */
export async function zooPage(page, [number], reader) {
  /** @type {ZooPair[]} */
  const pairs = await load("zoo");
  const named = /^\d{1,4}$/.test(number ?? "") ? Number(number) : 0;
  const at = named >= 1 && named <= pairs.length ? named - 1 : Math.floor(Math.random() * pairs.length);
  const pair = pairs[at];
  const brokenLeft = ((at * 2654435761) >>> 7) % 2 === 0; // the same for everybody who follows a link to this pair
  const title = el("h1", "", reader.say("zoo_asks"));
  title.tabIndex = -1;
  const answer = el("div", "answer");
  answer.setAttribute("role", "status");
  const runs = el("div", "twins");
  /** @type {HTMLElement[]} */
  const heads = [];
  /** @param {boolean} left */
  const guess = (left) => {
    const right = left === brokenLeft;
    score.answered += 1;
    score.right += Number(right);
    const key = `${right ? "yes" : "no"}_${brokenLeft ? "left" : "right"}`;
    const next = el("a", "main-button", reader.say("another"));
    next.href = to("zoo", ((at + 1 + Math.floor(Math.random() * (pairs.length - 1))) % pairs.length) + 1);
    answer.append(
      el("p", "verdict", `${reader.say(key)} ${pair.clue}`),
      el("p", "", pair.what),
      el("p", "faint", reader.say("score", score)),
      next,
    );
    heads.forEach((head, i) => {
      head.replaceChildren(el("b", "", (i === 0) === brokenLeft ? pair.mark : reader.say("honest")));
    });
    next.focus();
  };
  for (const left of [true, false]) {
    const run = el("section", "twin");
    run.setAttribute("aria-label", reader.say(left ? "left_run" : "right_run"));
    const head = el("div", "twin-head");
    const button = el("button", "main-button", reader.say(left ? "left" : "right"));
    button.addEventListener("click", () => guess(left));
    head.append(button);
    heads.push(head);
    run.append(head, ownHtml(left === brokenLeft ? pair.broken : pair.honest));
    runs.append(run);
  }
  page.append(title, el("p", "faint", reader.say("zoo_about", { settings: pair.settings })), answer, runs);
  return {};
}
