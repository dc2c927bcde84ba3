// What stands beside the words: the stage, held at a moment, or an explorable.

/** @import { LearnData, LessonPage, Place } from "./types" */

import { el, themeOf } from "../player/dom.js";
import { frameWhenReached } from "../player/reach.js";
import { EXPLORABLES } from "./explorables.js";
import { Pointer } from "./pointing.js";

/**
 * A lesson's name of a picture -> the explorable.
 * @type {Record<string, keyof typeof EXPLORABLES>}
 */
const EXPLORABLE_OF = { rule: "rule", formula: "pays", bug: "audit" };

export class LessonPicture {
  constructor() {
    this.node = el("div", "learn-picture");
    this.node.dir = "ltr"; // the player speaks English
    this.node.lang = "en";
    this.root = el("div", "stage");
    this.node.append(this.root);
    this.pointer = new Pointer(this.root);
    frameWhenReached(this.root);
    /** @type {Map<string, { host: HTMLElement, room: HTMLElement }>} */
    this.rooms = new Map();
  }

  /** @param {LearnData} data */
  give(data) {
    this.pointer.give(data.views, data);
    for (const { host } of this.rooms.values()) host.remove();
    this.rooms.clear();
  }

  wear() {
    this.root.dataset.theme = themeOf(this.root);
    this.pointer.stage.frames.ask();
  }

  /**
   * @param {LessonPage} page
   * @param {Place} place
   * @param {LearnData} data
   * @param {boolean} forward
   */
  show(page, place, data, forward) {
    const name = EXPLORABLE_OF[page.picture];
    this.root.hidden = Boolean(name);
    this.node.dataset.picture = name ?? "stage";
    for (const [kind, { host }] of this.rooms) host.hidden = kind !== name;
    if (!name) this.pointer.point(place, forward);
    else EXPLORABLES[name](this.roomOf(name, data.sheet), { dots: data.dots, talk: data.talk });
  }

  /**
   * An explorable has a shadow of its own, so that its style and the player's stay apart. What the reader did there stays.
   * @param {string} name
   * @param {string} sheet
   */
  roomOf(name, sheet) {
    const known = this.rooms.get(name);
    if (known) return known.room;
    const host = el("div", "explorable-host");
    const shadow = host.attachShadow({ mode: "open" });
    const style = el("style", "", sheet);
    const room = el("div");
    shadow.append(style, room);
    this.node.append(host);
    this.rooms.set(name, { host, room });
    return room;
  }
}
