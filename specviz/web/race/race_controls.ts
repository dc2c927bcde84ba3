// The controls of the clock that all lanes share.

import { el, iconButton, pickerOf, setText, wearPlaying } from "../shared/dom.ts";
import { clockWords } from "../shared/labels.ts";
import { word } from "../shared/words.ts";
import { factorFor } from "./race_course.ts";
import type { Course } from "./race_reading.ts";
import { factorWords } from "./race_text.ts";

const FACTORS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** A function for each control; `factor` gets null for the default. */
type ControlActions = { toggle: () => void; factor: (factor: number | null) => void };

export class RaceControls {
  play: HTMLButtonElement;
  choice: HTMLSelectElement;
  node = el("div", "controls");
  time = el("span", "clock", "");
  legend = el("div", "legend");

  constructor(act: ControlActions) {
    this.play = iconButton("play", word("Play (space)"), act.toggle);
    const paces = FACTORS.map((factor) => [String(factor), factorWords(factor)] as [string, string]);
    const take = (value: string) => act.factor(value ? Number(value) : null);
    this.choice = pickerOf("choice", word("How fast it is shown"), [["", ""], ...paces], "", take);
    this.node.append(this.play, this.time, this.legend, this.choice);
  }

  draw(course: Course, clock: number, { chosen, playing }: { chosen: number | null; playing: boolean }) {
    setText(this.time, clockWords(clock, course.span));
    wearPlaying(this.play, playing);
    const usual = factorFor(course);
    setText(this.choice.options[0], course.slowest > 0 ? factorWords(usual) : word("Speed"));
    for (const option of this.choice.options) option.hidden = Number(option.value) === usual;
    const wanted = chosen === null ? "" : String(chosen);
    if (this.choice.value !== wanted) this.choice.value = wanted;
  }
}
