// The teacher's page: a plan, which chapter for whom, questions with answers, exercises, the handout.

/** @import { Reader } from "./reader.js" */

import { el } from "../shared/dom.js";
import { to } from "./address.js";
import { commands } from "./dialogs.js";
import { load } from "./loading.js";
import { ownHtml } from "./own_html.js";

/**
 * @param {HTMLElement} page
 * @param {string[]} _
 * @param {Reader} reader
 */
export async function teachPage(page, _, reader) {
  const { html } = await load(`teach-${reader.language}`);
  const title = el("h1", "", reader.say("teach"));
  title.tabIndex = -1;
  const handout = el("a", "main-button", reader.say("handout"));
  handout.href = "handout.html";
  const plan = ownHtml(html);
  for (const link of plan.querySelectorAll("a")) {
    const [, , ...step] = (link.getAttribute("href") ?? "").split("/");
    link.href = to("learn", ...step);
  }
  page.append(title, el("p", "lead", reader.say("teach_says")), handout, plan, ...commands(reader, "needs_room"));
  return {};
}
