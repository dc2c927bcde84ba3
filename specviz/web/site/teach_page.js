// The teacher's page: a plan, which chapter for whom, questions with answers, exercises, the handout.

/** @import { Reader } from "./reader.js" */

import { el, linkTo } from "../shared/dom.js";
import { to } from "./address.js";
import { commands } from "./dialogs.js";
import { load } from "./loading.js";
import { ownHtml } from "./parts.js";

/**
 * @param {HTMLElement} page
 * @param {string[]} _
 * @param {Reader} reader
 */
export async function teachPage(page, _, reader) {
  const { say, language } = reader;
  const { html, language: written, handout: sheet } = await load(`teach-${language}`);
  const plan = ownHtml(html);
  plan.lang = written;
  for (const link of plan.querySelectorAll("a")) link.href = to("learn", ...link.hash.split("/").slice(2));
  const handout = linkTo(sheet, "learn-button main", say("handout"));
  page.append(
    el("h1", "", say("teach")),
    el("p", "lead", say("teach_says")),
    handout,
    plan,
    ...commands(reader, "needs_room"),
  );
  return {};
}
