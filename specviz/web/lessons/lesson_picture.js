// What stands beside the words: the stage, held at a moment, or an explorable.

/** @import { LearnData, LessonPage, Measurement, Place } from "./types" */

import { el, themeOf } from "../shared/dom.js";
import { frameWhenReached } from "../shared/keyboard_frame.js";
import { EXPLORABLES } from "./explorables.js";
import { HeldStage } from "./held_stage.js";
import { measuredPicture } from "./measured/measured_picture.js";

/**
 * A lesson's name of a picture -> the explorable.
 * @type {Record<string, keyof typeof EXPLORABLES>}
 */
const EXPLORABLE_OF = { rule: "rule", formula: "pays", bug: "audit" };

/** The room of what was measured, and the picture that waits for it. */
const MEASURED = "measured";
const SURFACE = "surface";
const BATCH = "batch cost";

export class LessonPicture {
  constructor() {
    this.node = el("div", "learn-picture");
    this.node.dir = "ltr"; // the player speaks English
    this.node.lang = "en";
    this.root = el("div", "stage");
    this.node.append(this.root);
    this.pointer = new HeldStage(this.root);
    frameWhenReached(this.root);
    /** @type {Map<string, { host: HTMLElement, room: HTMLElement }>} */
    this.rooms = new Map();
    /** Shows what was measured once more, in the colours of the moment. */
    this.again = () => {};
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
    this.again();
  }

  /**
   * @param {LessonPage} page
   * @param {Place} place
   * @param {LearnData} data
   * @param {boolean} forward
   * @param {Measurement | null} measured what was measured for this page
   */
  show(page, place, data, forward, measured) {
    const name = measured || page.picture === SURFACE ? MEASURED : EXPLORABLE_OF[page.picture];
    this.root.hidden = Boolean(name);
    this.node.dataset.picture = name ?? "stage";
    for (const [kind, { host }] of this.rooms) host.hidden = kind !== name;
    if (!name) this.pointer.point(place, forward);
    else if (name !== MEASURED) EXPLORABLES[name](this.roomOf(name, data.sheet), { dots: data.dots, talk: data.talk });
    const kind = measured?.kind ?? page.measure ?? BATCH;
    const options = { talk: data.talk, kind, dots: data.dots };
    this.again = () => {
      if (name === MEASURED) measuredPicture(this.roomOf(name, data.sheet), measured, options);
    };
    this.again();
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
