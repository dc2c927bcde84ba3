// What explorables share: the element around each, its theme, type size, note and state across mounts; sentences with figures that say how they
// were measured; and a picture that plays.

import { button, el, isNew, named, setText, themeOf } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { explain } from "../../shared/notes.ts";
import { word } from "../../shared/words.ts";
import type { ExplorableData, WordPart } from "../lesson_types.ts";

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
    const { picture, recording, tokens, costs, dots, talk } = data;
    const shown = JSON.stringify([picture, recording, tokens, costs, dots]);
    if (room.shown !== shown) room.bench.show(data);
    rooms.set(element, { ...room, shown });
    element.dataset.theme = themeOf(element);
    element.classList.toggle("talk", Boolean(talk));
    const words = room.bench.note?.() ?? "";
    setText(room.note, words);
    room.note.hidden = !words;
  };
}

/** A headline whose figures say how they were measured. */
export class Sentence {
  node = el("p", "measured-headline");

  say(parts: WordPart[]) {
    if (!isNew(this, JSON.stringify(parts))) return;
    this.node.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : figureOf(part))));
  }
}

/** The sentence without what its figures say. */
export function textOf(parts: WordPart[]) {
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

function figureOf({ text, how }: { text: string; how: string }) {
  const node = el("b", "measured-figure", text);
  explain(node, how);
  return node;
}

/** A picture that plays by itself, and again on a button; its last moment at once where less motion is asked for. */
export class Replay {
  node = button("chip stream-again", word("Play again"), () => this.seek(0, true));
  frames: Frames;
  clock = 0;
  playing = false;

  /** @param draw gets the seconds since the beginning, and returns whether the end has come */
  constructor(body: HTMLElement, draw: (clock: number) => boolean) {
    this.frames = new Frames(body, (passed) => {
      if (this.playing) this.clock += passed;
      const running = !draw(this.clock) && this.playing;
      this.node.disabled = running;
      return running;
    });
  }

  /** @param end in seconds */
  begin(end: number) {
    this.seek(wantsStillness() ? end : 0, true);
  }

  seek(clock: number, playing: boolean) {
    this.clock = clock;
    this.playing = playing;
    this.frames.rest();
  }
}
