// What stands beside the words: the stage, held at a moment, or an explorable.

import { el, themeOf } from "../shared/dom.ts";
import { frameWhenReached } from "../shared/keyboard_frame.ts";
import { tokenLabel } from "../shared/labels.ts";
import { readRun } from "../shared/read_recording.ts";
import { language } from "../shared/words.ts";
import { EXPLORABLES, explorableOf } from "./explorables.ts";
import { LessonStage } from "./lesson_stage.ts";
import type { ExplorableData, LearnData, LessonPage, Place } from "./lesson_types.ts";

/** The tokens that a picture shows: the last one of the prompt, and so many more. */
const SHOWN = 6;

/** What is drawn from the recorded costs, and what shows tokens. */
const NEED_COSTS = ["stream", "costs", "rush"];
const SHOW_TOKENS = ["stream", "mask"];

export class LessonPicture {
  node = el("div", "learn-picture");
  root = el("div", "stage");
  pointer = new LessonStage(this.root);
  rooms: Map<string, { host: HTMLElement; room: HTMLElement }> = new Map();
  /** Shows an explorable once more, in the colours of the moment. */
  again: () => void = () => {};

  constructor() {
    this.node.dir = "ltr"; // as the player's languages are written, whatever the lesson's is
    this.node.append(this.root);
    frameWhenReached(this.root);
  }

  give(data: LearnData) {
    this.pointer.give(data.views, data);
    for (const { host } of this.rooms.values()) host.remove();
    this.rooms.clear();
  }

  wear() {
    this.root.dataset.theme = themeOf(this.root);
    this.pointer.stage.frames.ask();
    this.again();
  }

  show(page: LessonPage, place: Place, data: LearnData, forward: boolean) {
    const name = explorableOf(page.picture);
    this.root.hidden = Boolean(name);
    this.node.dataset.picture = name ?? (place.whole ? "texts" : "stage");
    this.node.lang = language();
    for (const [kind, { host }] of this.rooms) host.hidden = kind !== name;
    const projected = data.talk && data.room === "following";
    if (!name) this.pointer.point(place, forward);
    this.again = () => {
      if (!name) return;
      const { costs, dots, talk, views, looks, sheets } = data;
      const { recording } = place;
      if (!costs && NEED_COSTS.includes(name)) return;
      const tokens = SHOW_TOKENS.includes(name) ? firstTokens(place, data) : [];
      const given = { picture: page.picture, recording, costs, dots, tokens, views, looks, talk } as ExplorableData;
      EXPLORABLES[name].mount(this.roomOf(name, sheets[name] ?? sheets.explorables), given);
      this.rooms.get(name)?.host.classList.toggle("projected", projected);
    };
    this.again();
  }

  /** An explorable has a shadow of its own, so that its style and the player's stay apart. What the reader did there stays. */
  roomOf(name: string, sheet: string) {
    const known = this.rooms.get(name);
    if (known) return known.room;
    const host = el("div", "explorable-host");
    const shadow = host.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet(); // a page that allows no style of its own text allows this
    style.replaceSync(sheet);
    shadow.adoptedStyleSheets = [style];
    const room = el("div");
    shadow.append(room);
    this.node.append(host);
    this.rooms.set(name, { host, room });
    return room;
  }
}

function firstTokens({ recording }: Place, data: LearnData) {
  const view = recording ? data.views[recording] : undefined;
  if (!view) return [];
  const { bytes, promptIds, ids } = readRun(view, data);
  return [...promptIds.slice(-1), ...ids.slice(0, SHOWN)].map((id) => tokenLabel(bytes, id).text);
}
