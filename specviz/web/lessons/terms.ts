// Where the terms of the glossary stand in the words of a page, each marked with its sentence.

import { el } from "../shared/dom.ts";
import { explain } from "../shared/notes.ts";
import type { Term } from "./lesson_types.ts";

const ACRONYM = /^\p{Lu}{2,}$/u;

/** A term that was found: where it begins in the text, how long it is there, and its entry. */
type Found = { at: number; length: number; entry: Term };

export class TermFinder {
  pattern: RegExp | null;
  /** Each form as it is looked up -> its entry; null for a phrase in which a form means something else. */
  known: Map<string, Term | null> = new Map();

  constructor(entries: Term[]) {
    for (const entry of entries) {
      for (const form of entry.forms) this.known.set(lookedUp(form), entry);
      for (const phrase of entry.others) this.known.set(lookedUp(phrase), null);
    }
    const longestFirst = [...this.known.keys()].sort((a, b) => b.length - a.length);
    const any = longestFirst.map((form) => escaped(form).replaceAll(" ", "\\s+")).join("|");
    this.pattern = any ? new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, "giu") : null;
  }

  /** The terms of a text that were not seen before, each where it stands first; they count as seen from now on. */
  fresh(text: string, seen: Set<string>) {
    const found: Found[] = [];
    for (const match of this.pattern ? text.matchAll(this.pattern) : []) {
      const entry = this.known.get(lookedUp(match[0]));
      if (!entry || seen.has(entry.term)) continue;
      seen.add(entry.term);
      found.push({ at: match.index, length: match[0].length, entry });
    }
    return found;
  }
}

/** A letter of a formula and an acronym are meant as they are written; everything else in any case, and over the end of a line. */
function lookedUp(form: string) {
  return form.length === 1 || ACRONYM.test(form) ? form : form.toLowerCase().replace(/\s+/g, " ");
}

function escaped(text: string) {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, "\\$&");
}

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
