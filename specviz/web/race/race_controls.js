// The controls of the clock that all lanes share.

/** @import { Course } from "../shared/types" */
/** @import { IconName } from "../shared/dom.js" */

import { el, iconButton, setText, wearPlaying } from "../shared/dom.js";
import { clockWords, factorWords } from "./race_text.js";

const FACTORS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/**
 * A function for each control; `factor` gets null for the default.
 * @typedef {{ first: () => void, toggle: () => void, scrub: (share: number) => void, factor: (factor: number | null) => void }} ControlActions
 */

export class RaceControls {
  /** @param {ControlActions} act */
  constructor(act) {
    this.node = el("div", "controls");
    this.again = this.button("first", "Restart (Home)", act.first);
    this.play = this.button("play", "Play (space)", act.toggle);
    this.time = el("span", "clock", "");
    this.slow = el("span", "factor", "");
    this.scrubber = el("input", "scrubber");
    Object.assign(this.scrubber, { type: "range", min: "0", max: "1000", value: "0" });
    this.scrubber.setAttribute("aria-label", "Time on the clock");
    this.scrubber.addEventListener("input", () => act.scrub(Number(this.scrubber.value) / 1000));
    this.choice = el("select", "choice");
    this.choice.setAttribute("aria-label", "How fast it is shown");
    this.option("", "");
    for (const factor of FACTORS) this.option(String(factor), factorWords(factor));
    this.choice.addEventListener("change", () => act.factor(this.choice.value ? Number(this.choice.value) : null));
    this.node.append(this.time, this.slow, this.scrubber, this.choice);
  }

  /**
   * @param {string} value
   * @param {string} text
   */
  option(value, text) {
    const option = el("option", "", text);
    option.value = value;
    this.choice.append(option);
  }

  /**
   * @param {IconName} name
   * @param {string} label
   * @param {() => void} act
   */
  button(name, label, act) {
    const node = iconButton(name, label, act);
    this.node.append(node);
    return node;
  }

  /**
   * @param {Course} course
   * @param {number} clock
   * @param {{ chosen: number | null, factor: number, playing: boolean }} state
   */
  draw(course, clock, { chosen, factor, playing }) {
    setText(this.time, clockWords(clock, course.span));
    setText(this.slow, course.slowest > 0 ? factorWords(factor) : "");
    wearPlaying(this.play, playing);
    setText(this.choice.options[0], course.plain ? "Plain takes about 12 s" : "About 12 s");
    const wanted = chosen === null ? "" : String(chosen);
    if (this.choice.value !== wanted) this.choice.value = wanted;
    const value = String(course.span > 0 ? Math.round((1000 * clock) / course.span) : 0);
    if (this.scrubber.value !== value) this.scrubber.value = value;
    const done = `${Number(value) / 10}%`;
    if (this.scrubber.style.getPropertyValue("--done") !== done) this.scrubber.style.setProperty("--done", done);
    const words = `${clockWords(clock, course.span)} of ${clockWords(course.span, course.span)}`;
    if (this.scrubber.getAttribute("aria-valuetext") !== words) this.scrubber.setAttribute("aria-valuetext", words);
  }
}
