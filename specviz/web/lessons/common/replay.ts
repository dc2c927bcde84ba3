// A picture that plays by itself, and again on a button; its last moment at once where less motion is asked for.

import { button } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { word } from "../../shared/words.ts";

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
