// Where the terms of the glossary stand in a text. Pure, no DOM.

import type { Term } from "./lesson_types.ts";

/** A term that was found: where it begins in the text, how long it is there, and its entry. */
export type Found = { at: number; length: number; entry: Term };

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

/** A letter of a formula is meant as it is written; everything else in any case, and over the end of a line. */
function lookedUp(form: string) {
  return form.length === 1 ? form : form.toLowerCase().replace(/\s+/g, " ");
}

function escaped(text: string) {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, "\\$&");
}
