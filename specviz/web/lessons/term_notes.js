// Terms of the glossary in the words of a page, each with its sentence.

/** @import { Found, TermFinder } from "./term_finder.js" */

import { el } from "../shared/dom.js";
import { explain } from "../shared/notes.js";

/** What is no sentence of the lesson, or is pressed itself. */
const NOT_GLOSSED = "a, button, code, pre, .lesson-figure, .lesson-token";

/**
 * Mark each term where it stands first in these parts of a page, taken in their order.
 * @param {Iterable<Element>} parts
 * @param {TermFinder} finder
 */
export function gloss(parts, finder) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (const part of parts) {
    for (const text of textsOf(part)) markTerms(text, finder.fresh(text.data, seen));
  }
}

/** @param {Element} part */
function textsOf(part) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(NOT_GLOSSED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  return texts;
}

/** @param {Text} text @param {Found[]} found */
function markTerms(text, found) {
  for (const { at, length, entry } of found.toReversed()) {
    text.splitText(at + length);
    const word = text.splitText(at);
    const term = el("span", "lesson-term");
    word.replaceWith(term);
    term.append(word);
    explain(term, entry.says, entry.term);
  }
}
