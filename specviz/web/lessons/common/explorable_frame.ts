// What every explorable has around it: its element, theme, type size, a note, and its state across mounts.

import { el, named, setText, themeOf } from "../../shared/dom.ts";
import { word } from "../../shared/words.ts";
import type { ExplorableData } from "../lesson_types.ts";

/** What an explorable shows of its data, and a note under it. */
type Bench = { show: (data: ExplorableData) => void; note?: () => string };

/**
 * A mount for explorables of one kind: the first call builds one, later calls with the same data leave what the reader did, other data
 * is shown afresh.
 * @param label its English name, for those who hear the page
 * @param build gets the box that its parts go into
 */
export function mountOf(label: string, build: (body: HTMLElement) => Bench) {
  const rooms: WeakMap<HTMLElement, { bench: Bench; note: HTMLElement; shown: string }> = new WeakMap();
  const furnished = (element: HTMLElement) => {
    element.classList.add("stage", "explorable");
    named(element, "region", word(label));
    const note = el("p", "explore-note", "");
    const body = el("div", "explore-body", note);
    element.replaceChildren(body);
    return { bench: build(body), note, shown: "" };
  };
  return (element: HTMLElement, data: ExplorableData) => {
    const room = rooms.get(element) ?? furnished(element);
    const { talk, ...matter } = data;
    const shown = JSON.stringify(matter);
    if (room.shown !== shown) room.bench.show(data);
    rooms.set(element, { ...room, shown });
    element.dataset.theme = themeOf(element);
    element.classList.toggle("talk", Boolean(talk));
    const words = room.bench.note?.() ?? "";
    setText(room.note, words);
    room.note.hidden = !words;
  };
}
