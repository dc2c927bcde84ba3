// All weights go past one token, past six tokens one after the other, and past six at once.

import { english } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Sentence, textOf } from "../common/measured_parts.ts";
import { Replay } from "../common/replay.ts";
import type { ExplorableData, StreamMode } from "../lesson_types.ts";
import { StreamPicture } from "./stream_picture.ts";
import { streamNote, streamParts } from "./stream_text.ts";
import { type PassTimes, sceneAt, streamEnd } from "./stream_timeline.ts";

class Stream {
  sentence = new Sentence("measured-headline");
  picture = new StreamPicture("stream-picture");
  replay: Replay;
  data: ExplorableData | null = null;
  mode: StreamMode = "one token";
  times: PassTimes = { one: 1, many: 1 };

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    this.replay = new Replay(body, (clock) => this.draw(clock));
    body.append(this.sentence.node, this.picture.node, this.replay.node);
  }

  show(data: ExplorableData) {
    this.data = data;
    this.mode = data.picture as StreamMode;
    const { points } = data.costs;
    const secondsOf = (n: number) => points.find((point) => point.tokens === n)?.pass_s ?? 0;
    this.times = { one: secondsOf(1), many: secondsOf(6) };
    this.replay.begin(streamEnd(this.mode, this.times));
  }

  draw(clock: number) {
    const { data, mode, times } = this;
    if (!data) return true;
    const scene = sceneAt(mode, times, clock);
    const parts = streamParts(mode, data.costs, times);
    this.sentence.say(parts);
    this.picture.present({ ...data, mode, times, scene }, textOf(parts));
    return scene.ended;
  }

  note() {
    return this.data ? streamNote(this.mode, this.data.costs, this.times) : "";
  }
}

export const mountStream = mountOf(english("Weights on their way through a pass"), (body) => new Stream(body));
