// The first page: what it is about, the same text written twice, and the ways in.

import { el, linkTo } from "../shared/dom.ts";
import { to } from "./address.ts";
import { openCommands } from "./dialogs.ts";
import { load } from "./loading.ts";
import { showPart } from "./parts.ts";
import type { Reader } from "./reader.ts";

const WAYS = ["learn", "runs", "race", "zoo", "teach"];
/** The chapter that answers why it works. */
const WHY = "editor";

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
