// Terms of the glossary in the words of a page: hovered, focused or tapped, a term shows its sentence.

/** @import { Term } from "./types" */
/** @import { Found, TermFinder } from "./term_finder.js" */

import { el } from "../shared/dom.js";

/** What is no sentence of the lesson, or is pressed itself. */
const NOT_GLOSSED = "a, button, code, pre, .lesson-figure, .lesson-token";
const NOTE_GAP = 6;
const NOTE_EDGE = 8;
/** So long the pointer may take from a term to its note. */
const LEAVING_MS = 200;

/** Numbers the notes: an id is unique in its document or shadow root. */
let notesMade = 0;
/** The one note that is shown. @type {{ term: HTMLElement, note: HTMLElement } | null} */
let shownNote = null;
let leaving = 0;

/**
 * Mark each term where it stands first in these parts of a page, taken in their order.
 * @param {Iterable<Element>} parts
 * @param {TermFinder} finder
 * @returns {HTMLElement} the sentences, to be put on the same page.
 */
export function glossed(parts, finder) {
  const notes = el("div", "term-notes");
  notes.setAttribute("aria-live", "off"); // a note that is shown is no news
  /** @type {Set<string>} */
  const seen = new Set();
  for (const part of parts) {
    for (const text of textsOf(part)) markTerms(text, finder.fresh(text.data, seen), notes);
  }
  return notes;
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

/**
 * @param {Text} text
 * @param {Found[]} found
 * @param {HTMLElement} notes
 */
function markTerms(text, found, notes) {
  for (const { at, length, entry } of found.toReversed()) {
    text.splitText(at + length);
    const word = text.splitText(at);
    const term = el("span", "lesson-term");
    word.replaceWith(term);
    term.append(word);
    const note = termNote(entry);
    notes.append(note);
    explain(term, note);
  }
}

/** @param {Term} entry */
function termNote({ term, says }) {
  notesMade += 1;
  const note = el("div", "term-note");
  note.id = `term-note-${notesMade}`;
  note.setAttribute("role", "tooltip");
  note.popover = "manual"; // above everything else on the page
  note.append(el("b", "", term), ` ${says}`);
  return note;
}

/**
 * @param {HTMLElement} term
 * @param {HTMLElement} note
 */
function explain(term, note) {
  term.tabIndex = 0;
  term.setAttribute("aria-describedby", note.id);
  let tappedAgain = false;
  term.addEventListener("focus", () => showNote(term, note));
  term.addEventListener("blur", hideNote);
  term.addEventListener("pointerdown", ({ pointerType }) => {
    tappedAgain = pointerType === "touch" && shownNote?.term === term;
  });
  term.addEventListener("click", () => (tappedAgain ? hideNote() : showNote(term, note)));
  term.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType !== "touch") showNote(term, note);
  });
  for (const node of [term, note]) {
    node.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType !== "touch" && !term.matches(":focus")) leaving = setTimeout(hideNote, LEAVING_MS);
    });
  }
  note.addEventListener("pointerenter", () => clearTimeout(leaving));
}

/**
 * @param {HTMLElement} term
 * @param {HTMLElement} note
 */
function showNote(term, note) {
  clearTimeout(leaving);
  if (shownNote?.note === note) return;
  hideNote();
  shownNote = { term, note };
  note.showPopover();
  placeNote();
  document.addEventListener("keydown", closeByKey, true);
  document.addEventListener("pointerdown", closeByPress, true);
  document.addEventListener("scroll", placeNote, true);
}

function hideNote() {
  if (!shownNote) return;
  clearTimeout(leaving);
  if (shownNote.note.isConnected) shownNote.note.hidePopover();
  shownNote = null;
  document.removeEventListener("keydown", closeByKey, true);
  document.removeEventListener("pointerdown", closeByPress, true);
  document.removeEventListener("scroll", placeNote, true);
}

/** Under the first line of the term, or above it where there is no room, and never over an edge of the window. */
function placeNote() {
  const at = shownNote?.term.getClientRects()[0];
  if (!shownNote || !at) {
    hideNote();
    return;
  }
  const { style } = shownNote.note;
  const { width, height } = shownNote.note.getBoundingClientRect();
  const below = at.bottom + NOTE_GAP;
  const fits = below + height <= window.innerHeight - NOTE_EDGE;
  style.top = `${fits ? below : Math.max(NOTE_EDGE, at.top - NOTE_GAP - height)}px`;
  style.left = `${Math.max(NOTE_EDGE, Math.min(at.left, document.documentElement.clientWidth - NOTE_EDGE - width))}px`;
}

/** @param {KeyboardEvent} event */
function closeByKey(event) {
  if (shownNote && !shownNote.term.isConnected) hideNote();
  if (!shownNote || event.key !== "Escape") return;
  hideNote();
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {PointerEvent} event */
function closeByPress(event) {
  const path = event.composedPath();
  if (shownNote && !path.includes(shownNote.term) && !path.includes(shownNote.note)) hideNote();
}
