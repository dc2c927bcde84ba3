// The gap between a lane and the plain lane, drawn under the lane's track as a bracket with a few words.

/** @import { Gap } from "../shared/types" */

import { el, setText } from "../shared/dom.js";

const TONES = { ahead: "ahead", earlier: "ahead", behind: "behind", later: "behind", level: "", together: "" };

export class GapBracket {
  constructor() {
    this.node = el("div", "gap");
    this.bar = el("span", "bar");
    this.start = el("span", "tick");
    this.end = el("span", "tick end");
    this.label = el("span", "label", "");
    const room = el("span", "room");
    room.append(this.label);
    this.room = room;
    this.node.append(this.bar, this.start, this.end, room);
    this.at = "";
  }

  /**
   * Only transforms move, so that no frame lays the page out again.
   * @param {Gap | null} gap
   * @param {string} words
   */
  draw(gap, words) {
    setText(this.label, words);
    const tone = gap ? TONES[gap.kind] : "";
    if (this.node.dataset.tone !== tone) this.node.dataset.tone = tone;
    const { from, to } = gap ?? { from: 0, to: 0 };
    const at = `${from} ${to}`;
    if (this.at === at) return;
    this.at = at;
    this.node.classList.toggle("drawn", to > from);
    const middle = 50 * (from + to);
    this.bar.style.transform = `translateX(${100 * from}%) scaleX(${to - from})`;
    this.start.style.transform = `translateX(${100 * from}%)`;
    this.end.style.transform = `translateX(${100 * (to - 1)}%)`;
    this.room.style.transform = `translateX(${middle}%)`;
    this.label.style.transform = `translateX(${-middle}%)`;
  }
}
