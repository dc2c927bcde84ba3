// All terms of the glossary as a list: what is shown where the address asks for lesson=glossary.

/** @import { LearnData } from "./types" */

import { el } from "../shared/dom.js";

/** @param {LearnData} data */
export function glossaryOf({ glossary, glossary_language }) {
  const list = el("dl", "glossary");
  list.lang = glossary_language;
  for (const { term, says } of glossary) {
    const entry = el("div", "", el("dt", "", term), el("dd", "", says));
    list.append(entry);
  }
  return list;
}
