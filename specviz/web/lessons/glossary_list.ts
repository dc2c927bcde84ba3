// All terms of the glossary as a list: what is shown where the address asks for lesson=glossary.

import { el } from "../shared/dom.ts";
import type { LearnData } from "./lesson_types.ts";

export function glossaryOf({ glossary, glossary_language }: LearnData) {
  const list = el("dl", "glossary");
  list.lang = glossary_language;
  for (const { term, says } of glossary) {
    const entry = el("div", "", el("dt", "", term), el("dd", "", says));
    list.append(entry);
  }
  return list;
}
