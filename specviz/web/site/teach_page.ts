// The teacher's page: a plan, which chapter for whom, questions with answers, exercises, the handout.

import { el, linkTo } from "../shared/dom.ts";
import { to } from "./address.ts";
import { commands } from "./dialogs.ts";
import { load } from "./loading.ts";
import { ownHtml } from "./parts.ts";
import type { Reader } from "./reader.ts";

export async function teachPage(page: HTMLElement, _: string[], reader: Reader) {
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
