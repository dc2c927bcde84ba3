// The controls of the clock that all lanes share.

/** @import { Course } from "../shared/types" */
/** @import { IconName } from "../shared/dom.js" */

import { el, iconButton, offer, setText, wearPlaying } from "../shared/dom.js";
import { clockWords } from "../shared/labels.js";
import { word } from "../shared/words.js";
import { factorFor } from "./race_course.js";
import { factorWords } from "./race_text.js";

const FACTORS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/**
 * A function for each control; `factor` gets null for the default.
 * @typedef {{ first: () => void, toggle: () => void, factor: (factor: number | null) => void }} ControlActions
 */

export class RaceControls {
  /** @param {ControlActions} act */
  constructor(act) {
    this.node = el("div", "controls");
    this.again = this.button("first", word("Restart (Home)"), act.first);
    this.play = this.button("play", word("Play (space)"), act.toggle);
    this.time = el("span", "clock", "");
    this.choice = el("select", { class: "choice", "aria-label": word("How fast it is shown") });
    offer(this.choice, [["", ""]]);
    for (const factor of FACTORS) offer(this.choice, [[String(factor), factorWords(factor)]]);
    this.choice.addEventListener("change", () => act.factor(this.choice.value ? Number(this.choice.value) : null));
    this.legend = el("div", "legend");
    this.node.append(this.time, this.legend, this.choice);
  }

  /** @param {IconName} name @param {string} label @param {() => void} act */
  button(name, label, act) {
    const node = iconButton(name, label, act);
    this.node.append(node);
    return node;
  }

  /** @param {Course} course @param {number} clock @param {{ chosen: number | null, playing: boolean }} state */
  draw(course, clock, { chosen, playing }) {
    setText(this.time, clockWords(clock, course.span));
    wearPlaying(this.play, playing);
    const usual = factorFor(course);
    setText(this.choice.options[0], course.slowest > 0 ? factorWords(usual) : word("Speed"));
    for (const option of this.choice.options) option.hidden = Number(option.value) === usual;
    const wanted = chosen === null ? "" : String(chosen);
    if (this.choice.value !== wanted) this.choice.value = wanted;
  }
}
