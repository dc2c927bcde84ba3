// The first page: what it is about, the same text written twice, and the ways in.

/** @import { Reader } from "./reader.js" */

import { el } from "../shared/dom.js";
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
  const duel = el("div");
  page.append(el("h1", "big", reader.say("title")), el("p", "lead", reader.say("says")), duel, ways(reader));
  const recording = await load("title-run");
  const chosen = (/** @type {string} */ __, /** @type {string} */ way) => {
    if (way === "why") location.hash = to("learn", WHY, 1);
    else if (way === "own") openCommands(reader);
  };
  await showPart(duel, "duel", reader, { recording }, { setTriggerValue: chosen });
  return {};
}

/** @param {Reader} reader */
function ways(reader) {
  const list = el("ul", "ways");
  for (const name of WAYS) {
    const link = el("a", "card");
    link.href = to(name);
    link.append(el("b", "", reader.say(name)), el("span", "", reader.say(`${name}_says`)));
    const item = el("li");
    item.append(link);
    list.append(item);
  }
  return list;
}
