// Terms of the glossary in the words of a page, each with its sentence.

import { el } from "../shared/dom.ts";
import { explain } from "../shared/notes.ts";
import type { Found, TermFinder } from "./term_finder.ts";

/** What is no sentence of the lesson, or is pressed itself. */
const NOT_GLOSSED = "a, button, code, pre, .lesson-figure, .lesson-token";

/** Mark each term where it stands first in these parts of a page, taken in their order. */
export function gloss(parts: Iterable<Element>, finder: TermFinder) {
  const seen = new Set<string>();
  for (const part of parts) {
    for (const text of textsOf(part)) markTerms(text, finder.fresh(text.data, seen));
  }
}

function textsOf(part: Element) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(NOT_GLOSSED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  return texts;
}

function markTerms(text: Text, found: Found[]) {
  for (const { at, length, entry } of found.toReversed()) {
    text.splitText(at + length);
    const word = text.splitText(at);
    const term = el("span", "lesson-term");
    word.replaceWith(term);
    term.append(word);
    explain(term, entry.says, entry.term);
  }
}
