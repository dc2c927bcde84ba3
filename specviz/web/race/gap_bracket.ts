// The gap between the ends of a lane and of the plain lane: a bracket on the axis of seconds, under the lane's bar, with a few words.

import { el, isNew, setText } from "../shared/dom.ts";
import type { Gap } from "./race_types.ts";

const TONES = { ahead: "ahead", earlier: "ahead", behind: "behind", later: "behind", level: "", together: "" };

/** A label is centred under its bracket in the middle of the axis, and uses some of the room after the end of it near there. */
const ALIGNED = 0.8;

export class GapBracket {
  bar = el("span", "bar");
  start = el("span", "tick");
  end = el("span", "tick end");
  label = el("span", "label", "");
  room = el("span", "room", this.label);
  node = el("div", "gap", this.bar, this.start, this.end, this.room);

  /**
   * Only transforms move, so that no frame lays the page out again.
   * @param drawn `span`: seconds of the axis.
   */
  draw(gap: Gap | null, { span, words, trusted }: { span: number; words: string; trusted: boolean }) {
    setText(this.label, words);
    const tone = gap && trusted ? TONES[gap.kind] : "";
    if (this.node.dataset.tone !== tone) this.node.dataset.tone = tone;
    const [from, to] = gap && span > 0 ? [gap.from / span, gap.to / span] : [0, 0];
    if (!isNew(this, from, to)) return;
    this.node.classList.toggle("drawn", to > from);
    const middle = 50 * (from + to);
    this.bar.style.transform = `translateX(${100 * from}%) scaleX(${to - from})`;
    this.start.style.transform = `translateX(${100 * from}cqw)`;
    this.end.style.transform = `translateX(${100 * to}cqw)`;
    this.room.style.transform = `translateX(${middle}cqw)`;
    this.label.style.transform = `translateX(${-ALIGNED * middle}%)`;
  }
}
