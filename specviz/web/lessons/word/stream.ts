// All weights go past one token, past six tokens one after the other, and past six at once.

import { button } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Sentence } from "../common/measured_parts.ts";
import type { StreamData } from "../lesson_types.ts";
import { StreamPicture } from "./stream_picture.ts";
import { streamNote, streamParts } from "./stream_text.ts";
import { type PassTimes, sceneAt, streamEnd } from "./stream_timeline.ts";

class Stream {
  frames: Frames;
  sentence = new Sentence("measured-headline");
  picture = new StreamPicture();
  again = button("chip", word("Play again"), () => this.play());
  clock = 0;
  data: StreamData | null = null;
  times: PassTimes = { one: 1, many: 1 };

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    this.again.classList.add("stream-again");
    body.append(this.sentence.node, this.picture.picture.node, this.again);
    this.frames = new Frames(body, (passed) => this.tick(passed));
  }

  show(data: StreamData) {
    const { mode, costs, tokens } = data;
    this.data = data;
    const { points } = costs;
    const secondsOf = (n: number) => points.find((point) => point.tokens === n)?.pass_s ?? 0;
    this.times = { one: secondsOf(1), many: secondsOf(6) };
    const parts = streamParts(mode, costs, this.times);
    this.sentence.say(parts);
    this.picture.show(mode, costs, this.times, tokens);
    this.picture.picture.name(parts.map((part) => (typeof part === "string" ? part : part.text)).join(""));
    this.clock = wantsStillness() ? streamEnd(mode, this.times) : 0;
    this.frames.rest();
  }

  play() {
    this.clock = 0;
    this.frames.rest();
  }

  tick(passed: number) {
    if (!this.data) return false;
    this.clock += passed;
    const scene = sceneAt(this.data.mode, this.times, this.clock);
    this.again.disabled = !scene.ended;
    this.picture.draw(scene);
    return !scene.ended;
  }

  note({ mode, costs }: StreamData) {
    return streamNote(mode, costs, this.times);
  }
}

export const mountStream = mountOf(english("Weights on their way through a pass"), (body) => new Stream(body));
