// When it pays: the four letters of the speedup formula as sliders, one round to scale, and the speedup at every draft length.

import { scaleLinear } from "d3-scale";
import { button, el, setText } from "../../shared/dom.ts";
import { english, fixed, several, word } from "../../shared/words.ts";
import { lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import { bestLength, costOfRound, expectedSpeedup, LONGEST, tokensPerPass } from "../common/theory.ts";
import { Dragger } from "../common/widgets.ts";
import type { Letters, RunDot } from "../lesson_types.ts";

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

/** The pictures of the step's own run alone; the others show every recorded run of the lesson. */
const ALONE = ["four numbers", "formula"];

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

const LENGTHS = Array.from({ length: LONGEST + 1 }, (_, k) => k);

/** What stands for a recorded run. */
const RUN_MARK = "●";

type CurveView = { letters: Letters; dots: RunDot[]; lit: number };

/** The expected speedup at every draft length, with recorded runs on it. Below 1 it is slower than plain decoding, and drawn so. */
class LengthCurve extends Picture<CurveView> {
  slow = this.hatching("rejected");

  show(shown: CurveView) {
    const { letters, dots } = shown;
    const speeds = LENGTHS.map((k) => `k = ${k}: ${fixed(expectedSpeedup({ ...letters, k }), 2)}×`).join(", ");
    const runs = dots.map(({ name, k, speedup }) =>
      word("; recorded run {name}: k = {k}, {speed}×", { name, k, speed: fixed(speedup, 2) }),
    );
    this.present(shown, word("Expected speedup by draft length: {speeds}{runs}", { speeds, runs: runs.join("") }));
  }

  draw({ letters, dots, lit }: CurveView, { em }: PictureSize) {
    const edges = this.edges(3, 1, 0.9, 2.6);
    const { left, right, upper, lower, height } = edges;
    const speeds = LENGTHS.map((k) => expectedSpeedup({ ...letters, k }));
    const top = Math.max(2, Math.ceil(4 * Math.max(...speeds, ...dots.map((dot) => dot.speedup)) * 1.04) / 4);
    const x = scaleLinear([0, LONGEST], [left, right]);
    const y = scaleLinear([0, top], [lower, upper]);
    const every = x(1) - x(0) < 1.7 * em ? 4 : 2;
    const lengths = LENGTHS.filter((k) => k % every === 0);
    const best = bestLength(letters);
    const [here, speed] = [x(letters.k), speeds[letters.k]];
    const run = lit < 0 ? null : dots[lit];
    const above = run !== null && run.speedup < speed; // the run and its name lie below
    const side = above && speed > (speeds[letters.k - 1] ?? 0) ? -1 : 1; // above a rising curve there is room before it
    const aside = dots.some(({ k }) => k === letters.k) ? side * 3.6 * em : 0; // beside the dots, and not on them
    const beside = Math.min(right - 4 * em, Math.max(left + 4 * em, here + aside));
    const runBefore = run && x(run.k) > right - 6 * em; // because of the end of the picture
    const free = above ? y(speed) - 1.1 * em : Math.min(lower - 0.4 * em, y(speed) + 1.9 * em);
    return [
      mark.bar("slow-region", left, right - left, y(1), lower, this.slow),
      mark.line("even-line", left, y(1), right, y(1)),
      lower - y(1) > 1.4 * em && mark.text("slow-words", word("slower than plain"), right - 0.5 * em, lower - 0.5 * em),
      mark.text("tick axis-name", word("draft length k"), (left + right) / 2, height - 0.3 * em),
      mark.path("speed-line", lineThrough(speeds.map((value, k) => [x(k), y(value)]))),
      mark.circle("speed-here", here, y(speed), 0.62 * em),
      ...speeds.map((value, k) => {
        const slower = value < 1 - 1e-9;
        const down = (slower ? 0.36 : 0.5) * em;
        return mark.text(`speed-point ${slower ? "slower" : "faster"}`, slower ? "✕" : "•", x(k), y(value) + down);
      }),
      best > 0 && mark.text("speed-star", "★", x(best), y(speeds[best]) + 0.5 * em),
      ...dots.map(({ k, speedup }, i) =>
        mark.text(`run-dot${i === lit ? " lit" : ""}`, RUN_MARK, x(k), y(speedup) + 0.47 * em),
      ),
      mark.text("speed-label", `k = ${letters.k}: ${fixed(speed, 2)}×`, beside, Math.max(em, free)),
      run !== null &&
        mark.text(
          `dot-label${runBefore ? " before" : ""}`,
          run.name,
          x(run.k) + (runBefore ? -0.9 : 0.9) * em,
          y(run.speedup) + 0.35 * em,
        ),
      ...mark.ticksAcross(lengths, x, edges),
      ...mark.ticksUpright(y.ticks(4).filter(Number.isInteger), y, edges, (value) => `${value}×`),
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
    const { alpha, c, v, k } = shown;
    letters = { alpha, c, v, k };
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

  const lightRun = (lit: number) => render(dots[lit], lit);

  const controls = draggers.map(({ dragger }) => dragger.node);
  body.append(
    el("div", "pays-controls", ...controls, headline, formula, best, cases),
    el("div", "pays-pictures", lanes.node, curve.node, runs, about),
  );
  return {
    show: ({ picture, recording, dots: recorded }) => {
      const drawn = recorded.filter(({ k, speedup }) => k <= LONGEST && Number.isFinite(speedup)); // none where the plain run was stopped
      const own = drawn.findIndex(({ name }) => name === recording);
      dots = ALONE.includes(picture) ? drawn.filter((_, i) => i === own) : drawn;
      const measured = picture === "four numbers";
      for (const part of [headline, formula, best, curve.node]) part.hidden = measured;
      cases.hidden = measured || picture === "real runs";
      const chips = dots.map(({ name }, i) => button("chip", `${RUN_MARK} ${name}`, () => lightRun(i)));
      runs.replaceChildren(el("span", "chips-name", word("Recorded runs:")), ...chips);
      runs.hidden = about.hidden = !chips.length || ALONE.includes(picture);
      if (own < 0) render(FIRST_LETTERS);
      else lightRun(ALONE.includes(picture) ? 0 : own);
    },
  };
});
