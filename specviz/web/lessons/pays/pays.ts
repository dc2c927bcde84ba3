// When it pays: the four letters of the speedup formula as sliders, one round to scale, and the speedup at every draft length.

import { button, el, setText } from "../../shared/dom.ts";
import { english, fixed, several, word } from "../../shared/words.ts";
import { Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import { bestLength, costOfRound, expectedSpeedup, LONGEST, tokensPerPass } from "../common/theory.ts";
import { Dragger, onGrid } from "../common/widgets.ts";
import type { Letters, RunDot } from "../lesson_types.ts";
import { LengthCurve, RUN_MARK } from "./length_curve.ts";

const NAMES = ["alpha", "c", "v", "k"] as const;
const LETTERS = {
  alpha: { min: 0, max: 1, step: 0.01, words: english("α: how often a draft is accepted") },
  c: { min: 0, max: 1, step: 0.01, words: english("c: a draft pass, in target passes") },
  v: { min: 1, max: 6, step: 0.05, words: english("v: a pass that checks, in plain passes") },
  k: { min: 1, max: LONGEST, step: 1, words: english("k: how many tokens are drafted") },
};
const FIRST_LETTERS: Letters = { alpha: 0.8, c: 0.1, v: 1.1, k: 5 };

/** What can go well and wrong, as letters: examples, not measurements. */
const EXAMPLES: { name: string; letters: Letters }[] = [
  { name: english("A good draft"), letters: { alpha: 0.8, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too weak: it guesses badly"), letters: { alpha: 0.2, c: 0.05, v: 1.1, k: 6 } },
  { name: english("Too strong: it is slow itself"), letters: { alpha: 0.92, c: 0.9, v: 1.1, k: 6 } },
  { name: english("Rush hour: checking is costly"), letters: { alpha: 0.8, c: 0.05, v: 4, k: 6 } },
];

/** A speedup nearer to 1 than this is shown as none. */
const EVEN = 0.005;

export function timesWords(speedup: number) {
  const even = Math.abs(speedup - 1) < EVEN;
  const figure = `${fixed(even ? 1 : speedup, 2)}×`;
  if (!even && speedup < 1) return { figure, words: word("slower than plain decoding"), mark: "✕", state: "slower" };
  const words = word("as fast as plain decoding");
  return even ? { figure, words, mark: "=", state: "even" } : { figure, words, mark: "✓", state: "faster" };
}

/** The best draft length in a sentence. */
function bestWords(letters: Letters) {
  const best = bestLength(letters);
  if (best === 0) return word("No draft length pays here: switch it off. Plain decoding is the fastest.");
  const gain = fixed(expectedSpeedup({ ...letters, k: best }), 2);
  if (best === letters.k) return word("k = {best} is the best draft length here (★).", { best });
  return word("The best draft length here is k = {best}: {gain}× (★).", { best, gain });
}

/** A recorded run beside the formula. */
function dotWords(dot: RunDot) {
  return word("{name}: measured {measured}×. With its {letters}, the formula gives {expected}×.", {
    name: dot.name,
    measured: fixed(dot.speedup, 2),
    expected: fixed(expectedSpeedup(dot), 2),
    letters: `α ${fixed(dot.alpha, 2)}, c ${fixed(dot.c, 2)}, v ${fixed(dot.v, 2)}, k ${dot.k}`,
  });
}

/** `tokens` and `cost`: of a round, in passes of the target; the words of both lanes and of what lies between their ends. */
type LanesView = Letters & { tokens: number; cost: number; plain: string; round: string; gap: string };

/** One round to scale: what its tokens cost one by one, and what they cost with a draft. Lengths are passes of the target. */
class RoundLanes extends Picture<LanesView> {
  saved = this.hatching("saved");
  lost = this.hatching("rejected");

  show(letters: Letters) {
    const [tokens, cost] = [tokensPerPass(letters.alpha, letters.k), costOfRound(letters)];
    const plain = word("Plain: {tokens} tokens, one pass each", { tokens: fixed(tokens, 2) });
    const round = several(letters.k, "With a draft: {n} [draft|drafts] + 1 check = {cost} passes", {
      cost: fixed(cost, 2),
    });
    const passes = fixed(Math.abs(tokens - cost), 2);
    const gap = cost < tokens ? word("✓ saved: {passes}", { passes }) : word("✕ lost: {passes}", { passes });
    this.present({ ...letters, tokens, cost, plain, round, gap }, `${plain}. ${round}. ${gap} passes.`);
  }

  draw({ c, v, k, tokens, cost, plain, round, gap }: LanesView, { width, em }: PictureSize) {
    const unit = (width - 2) / Math.max(tokens, cost);
    const [tall, upper, lower] = [2 * em, 1.4 * em, 5 * em];
    const kind = cost < tokens ? "saved" : "lost";
    const [from, to] = [1 + Math.min(cost, tokens) * unit, 1 + Math.max(cost, tokens) * unit];
    const top = kind === "saved" ? lower : upper;
    const wide = Math.max(1, c * unit - 1.5);
    return [
      to - from > 3 && mark.bar(`lane-gap ${kind}`, from, to - from, top, top + tall, this[kind]),
      ...Array.from({ length: LONGEST + 1 }, (_, i) => {
        const part = Math.min(1, tokens - i);
        return part > 0 && mark.bar("pass target", 1 + i * unit, part * unit - 2, upper, upper + tall);
      }),
      ...Array.from({ length: LONGEST }, (_, i) => {
        return i < k && c > 0 && mark.bar("pass draft", 1 + i * c * unit, wide, lower, lower + tall);
      }),
      mark.bar("pass target check", 1 + k * c * unit, v * unit - 2, lower, lower + tall),
      mark.text("lane-name", plain, 1, upper - 0.45 * em),
      mark.text("lane-name", round, 1, lower - 0.45 * em),
      to - from > 7 * em && mark.text(`gap-words ${kind}`, gap, (from + to) / 2, top + tall / 2 + 0.35 * em),
    ];
  }
}

function fraction(over: HTMLElement, under: HTMLElement) {
  return el("span", "fraction", over, el("span", "unseen", " over "), under);
}

export const mountPays = mountOf(english("When speculative decoding pays, to try out"), (body) => {
  let dots: RunDot[] = [];
  const [lanes, curve] = [new RoundLanes("round-lanes"), new LengthCurve("length-curve")];
  const draggers = NAMES.map((name) => ({
    name,
    dragger: new Dragger(word(LETTERS[name].words), LETTERS[name], (value) => render({ ...letters, [name]: value })),
  }));
  const [figure, verdict] = [el("b", "pays-figure"), el("span", "pays-verdict")];
  const headline = el("p", { class: "pays-headline", "aria-live": "polite" }, figure, verdict);
  const [over, under, result] = [el("span"), el("span"), el("b")];
  const general = fraction(el("span", "", "(1 − αᵏ⁺¹) / (1 − α)"), el("span", "", "k · c + v"));
  const formula = el("p", "pays-formula", general, " = ", fraction(over, under), " = ", result);
  const best = el("p", "pays-best");
  const examples = EXAMPLES.map(({ name, letters }) => button("chip", word(name), () => render(letters)));
  const cases = el("div", "pays-cases", el("span", "chips-name", word("Examples:")), ...examples);
  const runs = el("div", "pays-cases");
  const about = el("p", { class: "pays-about", "aria-live": "polite" });
  let letters = FIRST_LETTERS;

  /** @param lit index of the recorded run whose letters are shown; -1 for none. */
  const render = (shown: Letters, lit = -1) => {
    letters = shown;
    const { alpha, c, v, k } = letters;
    for (const { name, dragger } of draggers) dragger.show(letters[name], fixed(letters[name], name === "k" ? 0 : 2));
    const times = timesWords(expectedSpeedup(letters));
    setText(figure, `${times.mark} ${times.figure}`);
    setText(verdict, times.words);
    headline.dataset.state = times.state;
    setText(over, word("{tokens} tokens", { tokens: fixed(tokensPerPass(alpha, k), 2) }));
    setText(under, `${k} · ${fixed(c, 2)} + ${fixed(v, 2)}`);
    setText(result, fixed(expectedSpeedup(letters), 2));
    setText(best, bestWords(letters));
    lanes.show(letters);
    curve.show({ letters, dots, lit });
    for (const [i, chip] of runs.querySelectorAll("button").entries())
      chip.setAttribute("aria-pressed", String(i === lit));
    setText(about, lit < 0 ? "" : dotWords(dots[lit]));
  };

  /** A recorded run: its letters, on the grid of their sliders. */
  const lightRun = (lit: number) => {
    const onSliders = NAMES.map((name) => [name, onGrid(dots[lit][name], LETTERS[name])]);
    render(Object.fromEntries(onSliders), lit);
  };

  const controls = draggers.map(({ dragger }) => dragger.node);
  body.append(
    el("div", "pays-controls", ...controls, headline, formula, best, cases),
    el("div", "pays-pictures", lanes.node, curve.node, runs, about),
  );
  return {
    show: (data) => {
      dots = data.dots.filter(({ k, speedup }) => k <= LONGEST && Number.isFinite(speedup)); // none where the plain run was stopped
      const chips = dots.map(({ name }, i) => button("chip", `${RUN_MARK} ${name}`, () => lightRun(i)));
      runs.replaceChildren(el("span", "chips-name", word("Recorded runs:")), ...chips);
      runs.hidden = about.hidden = !chips.length;
      render(FIRST_LETTERS);
    },
  };
});
