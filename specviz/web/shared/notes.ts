// Explanations: what is underlined with dots says more when it is hovered, has the keyboard, or is tapped.

import { el } from "./dom.ts";

const GAP = 6;
const EDGE = 8;
/** So long the pointer may take from a part to its note. */
const LEAVING_MS = 200;
/** What the keyboard reaches by itself. */
const REACHED = "a, button, input, select, summary, [tabindex]";
/** Where a note is put, so that it has the colours of its part. */
const HOMES = ".stage, .learn, .race, .duel, main.words";

/** What each part says: a term in bold where there is one, and its words. */
const explained: WeakMap<HTMLElement, { term: string; words: string }> = new WeakMap();
/** The one note that is shown. */
let openNote: { part: HTMLElement; note: HTMLElement } | null = null;
let leaving = 0;

/** Let a part say more, or something else; no words take it away. A screen reader hears it as the part's description. */
export function explain(node: HTMLElement | SVGElement, words: string, term = "") {
  const part = node as HTMLElement; // a part of a picture has all of it that is used here
  const before = explained.get(part);
  if (before?.words === words && before.term === term) return;
  explained.set(part, { term, words });
  if (words) {
    part.dataset.note = words;
    part.setAttribute("aria-description", words);
  } else {
    delete part.dataset.note;
    part.removeAttribute("aria-description");
  }
  if (!before) listen(part);
  else if (openNote?.part === part) words ? fill(openNote.note, part) : hideNote();
}

function listen(part: HTMLElement) {
  if (!part.matches(REACHED)) part.tabIndex = 0;
  let tappedAgain = false;
  part.addEventListener("focus", () => part.matches(":focus-visible") && show(part));
  part.addEventListener("blur", hideNote);
  part.addEventListener("pointerdown", ({ pointerType }) => {
    tappedAgain = pointerType === "touch" && openNote?.part === part;
  });
  part.addEventListener("click", () => (tappedAgain ? hideNote() : show(part)));
  // moved, and not only there: a part that comes under a resting pointer would cover what is pressed next
  part.addEventListener("pointermove", ({ pointerType }) => {
    if (pointerType !== "touch") show(part);
  });
  part.addEventListener("pointerleave", leave);
}

function leave({ pointerType }: PointerEvent) {
  if (pointerType !== "touch" && !openNote?.part.matches(":focus-visible")) leaving = setTimeout(hideNote, LEAVING_MS);
}

function fill(note: HTMLElement, part: HTMLElement) {
  const { term, words } = explained.get(part) ?? { term: "", words: "" };
  note.replaceChildren(...(term ? [el("b", "", term), " "] : []), words);
}

function show(part: HTMLElement) {
  clearTimeout(leaving);
  if (openNote?.part === part || !part.dataset.note) return;
  hideNote();
  // above everything else on the page; and it is the part's description already
  const note = el("div", { class: "note-shown", popover: "manual", "aria-hidden": "true" });
  note.addEventListener("pointerenter", () => clearTimeout(leaving));
  note.addEventListener("pointerleave", leave);
  note.addEventListener("click", hideNote); // it may lie over what comes next
  fill(note, part);
  (part.closest(HOMES) ?? document.body).append(note);
  openNote = { part, note };
  note.showPopover();
  placeNote();
  document.addEventListener("keydown", closeByKey, true);
  document.addEventListener("pointerdown", closeByPress, true);
  document.addEventListener("scroll", placeNote, true);
}

export function hideNote() {
  if (!openNote) return;
  clearTimeout(leaving);
  openNote.note.remove();
  openNote = null;
  document.removeEventListener("keydown", closeByKey, true);
  document.removeEventListener("pointerdown", closeByPress, true);
  document.removeEventListener("scroll", placeNote, true);
}

/** Under the first line of the part, or above it where there is no room, and never over an edge of the window. */
function placeNote() {
  const at = openNote?.part.getClientRects()[0];
  if (!openNote || !at) {
    hideNote();
    return;
  }
  const { style } = openNote.note;
  const { width, height } = openNote.note.getBoundingClientRect();
  const below = at.bottom + GAP;
  const fits = below + height <= window.innerHeight - EDGE;
  style.top = `${fits ? below : Math.max(EDGE, at.top - GAP - height)}px`;
  style.left = `${Math.max(EDGE, Math.min(at.left, document.documentElement.clientWidth - EDGE - width))}px`;
}

function closeByKey(event: KeyboardEvent) {
  if (openNote && !openNote.part.isConnected) hideNote();
  if (!openNote || event.key !== "Escape") return;
  hideNote();
  event.preventDefault();
  event.stopImmediatePropagation();
}

function closeByPress(event: PointerEvent) {
  const path = event.composedPath();
  if (openNote && !path.includes(openNote.part) && !path.includes(openNote.note)) hideNote();
}
