// When it pays: the four letters of the speedup formula as sliders, one round to scale, and the speedup at every draft length.

import { button, el, setText } from "../../shared/dom.ts";
import { english, fixed, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { CASES, FIRST_LETTERS, LETTER_RANGES, lettersOf } from "../common/formula_letters.ts";
import { bestLength, expectedSpeedup, LONGEST } from "../common/theory.ts";
import { Dragger } from "../common/widgets.ts";
import type { ExplorableData, Letters, RunDot } from "../lesson_types.ts";
import { LengthCurve, RUN_MARK } from "./length_curve.ts";
import { bestWords, dotWords, formulaWords, timesWords } from "./pays_text.ts";
import { RoundLanes } from "./round_lanes.ts";

const LETTER_WORDS: Record<keyof Letters, string> = {
  alpha: english("α: how often a draft is accepted"),
  c: english("c: a draft pass, in target passes"),
  v: english("v: a pass that checks, in plain passes"),
  k: english("k: how many tokens are drafted"),
};

const LETTER_NAMES = ["alpha", "c", "v", "k"] as (keyof Letters)[];

class PaysBench {
  draggers: { name: keyof Letters; dragger: Dragger }[];
  letters: Letters = FIRST_LETTERS;
  dots: RunDot[] = [];
  /** Index of the recorded run whose letters are shown; -1 for none. */
  lit = -1;
  figure = el("b", "pays-figure", "");
  verdict = el("span", "pays-verdict", "");
  headline = el("p", { class: "pays-headline", "aria-live": "polite" }, this.figure, this.verdict);
  over = el("span", "", "");
  under = el("span", "", "");
  result = el("b", "", "");
  formula = el(
    "p",
    "pays-formula",
    fraction(el("span", "", "(1 − αᵏ⁺¹) / (1 − α)"), el("span", "", "k · c + v")),
    " = ",
    fraction(this.over, this.under),
    " = ",
    this.result,
  );
  best = el("p", "pays-best", "");
  lanes = new RoundLanes("round-lanes");
  curve = new LengthCurve((k) => this.set({ ...this.letters, k }));
  cases = el(
    "div",
    "pays-cases",
    el("span", "chips-name", word("Examples:")),
    ...CASES.map(({ name, letters }) => button("chip", word(name), () => this.set(letters))),
  );
  runs = el("div", "pays-cases");
  about = el("p", { class: "pays-about", "aria-live": "polite" }, "");

  constructor(body: HTMLElement) {
    this.draggers = LETTER_NAMES.map((name) => ({
      name,
      dragger: new Dragger(word(LETTER_WORDS[name]), LETTER_RANGES[name], (value) =>
        this.set({ ...this.letters, [name]: value }),
      ),
    }));
    this.arrange(body);
  }

  arrange(body: HTMLElement) {
    const draggers = this.draggers.map(({ dragger }) => dragger.node);
    const controls = el("div", "pays-controls", ...draggers, this.headline, this.formula, this.best, this.cases);
    const pictures = el("div", "pays-pictures", this.lanes.node, this.curve.node, this.runs, this.about);
    body.append(controls, pictures);
  }

  show(data: ExplorableData) {
    this.letters = FIRST_LETTERS;
    this.dots = data.dots.filter(({ k, speedup }) => k <= LONGEST && Number.isFinite(speedup)); // none where the plain run was stopped
    this.lit = -1;
    const chips = this.dots.map(({ name }, i) => button("chip", `${RUN_MARK} ${name}`, () => this.lightRun(i)));
    this.runs.replaceChildren(el("span", "chips-name", word("Recorded runs:")), ...chips);
    this.runs.hidden = !chips.length;
    this.about.hidden = !chips.length;
    this.render();
  }

  set(letters: Letters) {
    this.letters = letters;
    this.lit = -1;
    this.render();
  }

  lightRun(index: number) {
    this.letters = lettersOf(this.dots[index]);
    this.lit = index;
    this.render();
  }

  render() {
    const { letters, dots, lit } = this;
    for (const { name, dragger } of this.draggers)
      dragger.show(letters[name], fixed(letters[name], name === "k" ? 0 : 2));
    const { figure, words, mark, state } = timesWords(expectedSpeedup(letters));
    setText(this.figure, `${mark} ${figure}`);
    setText(this.verdict, words);
    this.headline.dataset.state = state;
    const formula = formulaWords(letters);
    for (const part of ["over", "under", "result"] as const) setText(this[part], formula[part]);
    setText(this.best, bestWords(letters, bestLength(letters)));
    this.lanes.show(letters);
    this.curve.show({ letters, dots, lit });
    this.runs
      .querySelectorAll("button")
      .forEach((chip, i) => void chip.setAttribute("aria-pressed", String(i === lit)));
    setText(this.about, lit < 0 ? "" : dotWords(dots[lit]));
  }
}

function fraction(over: HTMLElement, under: HTMLElement) {
  return el("span", "fraction", over, el("span", "unseen", " over "), under);
}

export const mountPays = mountOf(english("When speculative decoding pays, to try out"), (body) => new PaysBench(body));
