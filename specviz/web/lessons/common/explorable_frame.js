// What every explorable has around it: its element, theme, type size, and its state across mounts.

import { el, named, setText, themeOf } from "../../shared/dom.js";

/**
 * Make an element the room of an explorable, and return the box that its parts go into.
 * @param {HTMLElement} element
 * @param {string} label
 */
export function furnish(element, label) {
  element.classList.add("stage", "explorable");
  named(element, "region", label);
  const note = el("p", "explore-note", "");
  const body = el("div", "explore-body", note);
  element.replaceChildren(body);
  return { body, note };
}

/** @param {HTMLElement} element @param {HTMLElement} note @param {{ talk?: boolean }} data @param {string} words */
export function dress(element, note, { talk }, words) {
  element.dataset.theme = themeOf(element);
  element.classList.toggle("talk", Boolean(talk));
  setText(note, words);
  note.hidden = !words;
}

/**
 * A mount for explorables of one kind: the first call builds one, later calls with the same data leave what the reader did, other data
 * is shown afresh.
 * @template Data
 * @param {(element: HTMLElement) => { show: (data: Data) => void, dress: (data: Data) => void }} build
 * @returns {(element: HTMLElement, data: Data) => void}
 */
export function mountOf(build) {
  /** @type {WeakMap<HTMLElement, { room: ReturnType<typeof build>, shown: string }>} */
  const rooms = new WeakMap();
  return (element, data) => {
    const known = rooms.get(element) ?? { room: build(element), shown: "" };
    const { talk: _, ...matter } = /** @type {any} */ (data);
    const now = JSON.stringify(matter);
    if (known.shown !== now) known.room.show(data);
    known.room.dress(data);
    rooms.set(element, { ...known, shown: now });
  };
}
