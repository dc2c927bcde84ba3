// What stands beside the words: the stage, held at a moment, or an explorable.

/** @import { CostPicture, LearnData, LessonPage, Place, StreamMode } from "./types" */

import { el, themeOf } from "../shared/dom.js";
import { frameWhenReached } from "../shared/keyboard_frame.js";
import { tokenLabel } from "../shared/labels.js";
import { readRun } from "../shared/read_recording.js";
import { language } from "../shared/words.js";
import { EXPLORABLES } from "./explorables.js";
import { HeldStage } from "./held_stage.js";

/** A lesson's name of a picture -> the explorable. @type {Record<string, keyof typeof EXPLORABLES>} */
const EXPLORABLE_OF = {
  rule: "rule",
  formula: "pays",
  bug: "audit",
  "one token": "stream",
  "six passes": "stream",
  "six in one": "stream",
  cost: "costs",
  experts: "costs",
  guests: "costs",
};

/** The tokens of the streaming weights: the last one of the prompt, and six more. */
const STREAMED = 6;

export class LessonPicture {
  constructor() {
    this.node = el("div", "learn-picture");
    this.node.dir = "ltr"; // as the player's languages are written, whatever the lesson's is
    this.root = el("div", "stage");
    this.node.append(this.root);
    this.pointer = new HeldStage(this.root);
    frameWhenReached(this.root);
    /** @type {Map<string, { host: HTMLElement, room: HTMLElement }>} */
    this.rooms = new Map();
    /** Shows an explorable once more, in the colours of the moment. */
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
   */
  show(page, place, data, forward) {
    const name = EXPLORABLE_OF[page.picture];
    this.root.hidden = Boolean(name);
    this.node.dataset.picture = name ?? "stage";
    this.node.lang = language();
    for (const [kind, { host }] of this.rooms) host.hidden = kind !== name;
    if (!name) this.pointer.point(place, forward);
    this.again = () => {
      if (name === "stream") this.stream(/** @type {StreamMode} */ (page.picture), place, data);
      else if (name === "costs") this.costs(/** @type {CostPicture} */ (page.picture), data);
      else if (name) EXPLORABLES[name](this.roomOf(name, data.sheet), { dots: data.dots, talk: data.talk });
    };
    this.again();
  }

  /** What passes cost on a recorded machine. @param {CostPicture} picture @param {LearnData} data */
  costs(picture, { costs, talk, sheet }) {
    if (costs) EXPLORABLES.costs(this.roomOf("costs", sheet), { picture, costs, talk });
  }

  /**
   * The weights of a recorded machine, past the first tokens of the recording.
   * @param {StreamMode} mode
   * @param {Place} place
   * @param {LearnData} data
   */
  stream(mode, { recording }, data) {
    const view = recording ? data.views[recording] : undefined;
    if (!view || !data.costs) return;
    const { bytes, promptIds, ids } = readRun(view, data);
    const tokens = [...promptIds.slice(-1), ...ids.slice(0, STREAMED)].map((id) => tokenLabel(bytes, id).text);
    EXPLORABLES.stream(this.roomOf("stream", data.sheet), { mode, costs: data.costs, tokens, talk: data.talk });
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
