// What every explorable has around it: its element, theme, type size, and its state across mounts.

import { el, named, setText, themeOf } from "../../shared/dom.ts";

/** Make an element the room of an explorable, and return the box that its parts go into. */
export function furnish(element: HTMLElement, label: string) {
  element.classList.add("stage", "explorable");
  named(element, "region", label);
  const note = el("p", "explore-note", "");
  const body = el("div", "explore-body", note);
  element.replaceChildren(body);
  return { body, note };
}

export function dress(element: HTMLElement, note: HTMLElement, { talk }: { talk?: boolean }, words: string) {
  element.dataset.theme = themeOf(element);
  element.classList.toggle("talk", Boolean(talk));
  setText(note, words);
  note.hidden = !words;
}

/**
 * A mount for explorables of one kind: the first call builds one, later calls with the same data leave what the reader did, other data
 * is shown afresh.
 */
export function mountOf<Data>(
  build: (element: HTMLElement) => { show: (data: Data) => void; dress: (data: Data) => void },
): (element: HTMLElement, data: Data) => void {
  const rooms: WeakMap<HTMLElement, { room: ReturnType<typeof build>; shown: string }> = new WeakMap();
  return (element, data) => {
    const known = rooms.get(element) ?? { room: build(element), shown: "" };
    const { talk: _, ...matter } = data as Data & { talk?: boolean };
    const now = JSON.stringify(matter);
    if (known.shown !== now) known.room.show(data);
    known.room.dress(data);
    rooms.set(element, { ...known, shown: now });
  };
}
