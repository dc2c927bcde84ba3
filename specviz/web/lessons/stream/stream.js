// Chapters 1 and 2: all weights go past one token, past six tokens one after the other, and past six at once.

/** @import { StreamData } from "../types" */
/** @import { PassTimes } from "./stream_timeline.js" */

import { button } from "../../shared/dom.js";
import { Frames, wantsStillness } from "../../shared/frames.js";
import { word } from "../../shared/words.js";
import { dress, furnish, mountOf } from "../common/explorable_frame.js";
import { Sentence } from "../common/measured_parts.js";
import { StreamPicture } from "./stream_picture.js";
import { streamNote, streamParts } from "./stream_text.js";
import { sceneAt, streamEnd } from "./stream_timeline.js";

class Stream {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const { body, note } = furnish(element, word("Weights on their way through a pass"));
    body.classList.add("measured-body");
    this.note = note;
    this.sentence = new Sentence("measured-headline");
    this.picture = new StreamPicture();
    this.again = button("chip", word("Play again"), () => this.play());
    this.again.classList.add("stream-again");
    body.append(this.sentence.node, this.picture.node, this.again);
    this.clock = 0;
    /** @type {StreamData | null} */
    this.data = null;
    /** @type {PassTimes} */
    this.times = { one: 1, many: 1 };
    this.frames = new Frames(element, (passed) => this.tick(passed));
  }

  /** @param {StreamData} data */
  show(data) {
    const { mode, costs, tokens } = data;
    this.data = data;
    const { points } = costs;
    const secondsOf = (/** @type {number} */ n) => points.find((point) => point.tokens === n)?.pass_s ?? 0;
    this.times = { one: secondsOf(1), many: secondsOf(6) };
    const parts = streamParts(mode, costs, this.times);
    this.sentence.say(parts);
    this.picture.show(mode, costs, this.times, tokens);
    this.picture.name(parts.map((part) => (typeof part === "string" ? part : part.text)).join(""));
    this.clock = wantsStillness() ? streamEnd(mode, this.times) : 0;
    this.frames.rest();
  }

  play() {
    this.clock = 0;
    this.frames.rest();
  }

  /** @param {number} passed */
  tick(passed) {
    if (!this.data) return false;
    this.clock += passed;
    const scene = sceneAt(this.data.mode, this.times, this.clock);
    this.again.disabled = !scene.ended;
    this.picture.draw(scene);
    return !scene.ended;
  }

  /** @param {StreamData} data */
  dress(data) {
    dress(this.element, this.note, data, streamNote(data.mode, data.costs, this.times));
  }
}

export const mountStream = mountOf((element) => new Stream(element));
