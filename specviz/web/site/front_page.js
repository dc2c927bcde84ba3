// The first page: what it is about, the same text written twice, and the ways in.

/** @import { Reader } from "./reader.js" */

import { el, linkTo } from "../shared/dom.js";
import { to } from "./address.js";
import { openCommands } from "./dialogs.js";
import { load } from "./loading.js";
import { showPart } from "./parts.js";

const WAYS = ["learn", "runs", "race", "zoo", "teach"];
/** The chapter that answers why it works. */
const WHY = "checking";

/**
 * @param {HTMLElement} page
 * @param {string[]} _
 * @param {Reader} reader
 */
export async function frontPage(page, _, reader) {
  const { say } = reader;
  const duel = el("div");
  const ways = WAYS.map((name) =>
    el("li", "", linkTo(to(name), "card", el("b", "", say(name)), el("span", "", say(`${name}_says`)))),
  );
  page.append(el("h1", "big", say("title")), el("p", "lead", say("says")), duel, el("ul", "ways", ...ways));
  /** @type {(name: string, way: string) => void} */
  const choose = (__, way) => {
    if (way === "why") location.hash = to("learn", WHY, 1);
    else if (way === "own") openCommands(reader);
  };
  await showPart(duel, "duel", reader, { recording: await load("title-run") }, { setTriggerValue: choose });
  return {};
}
