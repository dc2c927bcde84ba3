// What the dial says: the figures in words, each with how it was measured: one steady count while a run plays, the speedup when it is final. No DOM.

/** @import { Position, Run } from "../shared/types" */

import { NOBODY } from "../shared/drafter_text.js";
import { figuresAt, isPossible, middleWords } from "../shared/figures.js";
import { number, percent } from "../shared/labels.js";
import { ESTIMATE, REPLANNED } from "./replan.js";

/**
 * One figure: its value and what it counts, two small lines, and how it was measured.
 * @typedef {{ value: string, label: string, small: string, beside: string, how: string }} Shown
 */

/**
 * What kind of number the headline is: a count while the run plays; a speedup, a slowdown or an estimate at its end; or that the
 * times cannot be trusted.
 * @typedef {"count" | "faster" | "slower" | "estimate" | "busy"} Mood
 */

/** @typedef {NonNullable<ReturnType<typeof figuresAt>>} Figures */

const HOW = {
  count:
    "Passes of the target model. Plain decoding needs one pass for every token. Ahead or behind: the tokens of this run minus those that plain decoding had written by the same time of the engine's clock. The speedup is shown when it is final, because over a few rounds one rejected guess decides it.",
  speedup: "Speedup: for the same tokens, the time of plain decoding over the time of this run.",
  prompt:
    "Reading the prompt is not counted on either side; “with the prompt” counts it on both, and only speculation also pays for the draft's own reading.",
  once: "Timed once, the speculative run first: a longer run is not repeated, because others may wait for the engine.",
  rate: "New tokens over engine seconds: the engine's clock runs only while it works, never while you watch.",
  perPass: "New tokens over passes of the target model; plain decoding always has 1.",
  accepted: "Guesses accepted over guesses checked. Those after a rejection were never checked and do not count.",
};

const PLAIN_SOURCES = {
  measured: "Plain decoding was measured on this prompt: the same engine, alone, right after this run.",
  load: "Plain decoding of this prompt is still being measured.",
  stopped:
    "The run was stopped before plain decoding of this prompt was measured: its rate is the one measured when the pair was loaded.",
  none: "Plain decoding was not measured for this run.",
};

const LABELS = {
  speedup: "speedup over plain decoding",
  rate: "tokens a second",
  perPass: "tokens per pass",
  accepted: "guesses accepted (of those checked)",
};

const UNKNOWN = {
  speedup: "passes of the target: not yet known",
  rate: "tokens a second: not yet known",
  perPass: "tokens per pass: not yet known",
  accepted: "guesses accepted: not yet known",
};

const SMALL = { small: "", beside: "" };

/**
 * All figures at a moment, and what kind of number the headline is.
 * @param {Run} run
 * @param {Position} position
 * @returns {{ mood: Mood, speedup: Shown, rate: Shown, perPass: Shown, accepted: Shown }}
 */
export function headlineOf(run, position) {
  const f = figuresAt(run, position);
  const mood = f ? moodOf(run, f) : "count";
  if (!f?.passes) {
    /** @type {(label: string) => Shown} */
    const dash = (label) => ({ ...SMALL, value: "–", label, how: "" });
    return { mood, ...mapped(UNKNOWN, dash) };
  }
  const { rate, perPass, accepted } = LABELS;
  return {
    mood,
    speedup: noted(
      run,
      mood === "count" ? countOf(run, f) : mood === "busy" ? untrusted(run, f) : finalOf(run, f, mood),
    ),
    rate: { ...SMALL, value: number(f.rate, 0), label: rate, small: besideRate(run, f, mood), how: howRate(run, f) },
    perPass: {
      ...SMALL,
      value: number(f.perPass, 2),
      label: perPass,
      small: `${tokens(f.tokens)} in ${passes(f.passes)}`,
      how: HOW.perPass,
    },
    accepted: {
      ...SMALL,
      value: f.judged ? `${f.accepted} of ${f.judged}` : "–",
      label: accepted,
      small: f.judged ? percent(f.accepted / f.judged) : "nothing to check",
      how: HOW.accepted,
    },
  };
}

/**
 * A figure with what its run's card notes: paths that were set aside or not captured.
 * @param {Run} run
 * @param {Shown} shown
 * @returns {Shown}
 */
function noted({ card }, shown) {
  return { ...shown, how: [shown.how, ...(card?.notes ?? [])].filter(Boolean).join(" ") };
}

/**
 * @template {string} Name
 * @param {Record<Name, string>} labels
 * @param {(label: string) => Shown} make
 */
function mapped(labels, make) {
  const names = /** @type {Name[]} */ (Object.keys(labels));
  return /** @type {Record<Name, Shown>} */ (Object.fromEntries(names.map((name) => [name, make(labels[name])])));
}

/**
 * @param {Run} run
 * @param {Figures} f
 * @returns {Mood}
 */
function moodOf(run, f) {
  if (!f.final || f.speedup === null) return "count";
  const doubted = (run.timing && !run.timing.trusted) || !isPossible(f.speedup, f.most);
  if (doubted) return run.replanned ? "count" : "busy"; // its steps are exact
  if (run.replanned || f.plainIs !== "measured") return "estimate";
  return f.speedup < 1 ? "slower" : "faster";
}

/**
 * @param {Run} run
 * @param {Figures} f
 * @returns {Shown}
 */
function countOf(run, f) {
  const ended = run.complete && f.passes === run.rounds.length;
  const grounds = run.timing?.grounds ?? "";
  return {
    value: String(f.passes),
    label: `${f.passes === 1 ? "pass" : "passes"} ${f.passes === f.tokens ? `for ${tokens(f.tokens)}` : `instead of ${f.tokens}`}`,
    small: aheadWords(run, f),
    beside: ended && !run.over && f.ahead !== null ? "speedup: not yet known" : "",
    how: [HOW.count, ...(run.replanned ? [`${REPLANNED}.`, grounds] : [PLAIN_SOURCES[f.plainIs]])]
      .filter(Boolean)
      .join(" "),
  };
}

/**
 * How far ahead of plain decoding it is: a figure of the clock, so not where that cannot be trusted.
 * @param {Run} run
 * @param {Figures} f
 */
function aheadWords(run, { ahead, plainIs }) {
  if (run.drafterText.name === NOBODY) return "plain decoding: nothing is drafted";
  if (run.timing && !run.timing.trusted) return run.timing.why;
  if (ahead === null) return plainIs === "none" && run.over ? "no plain run" : "against plain: not yet known";
  const words =
    ahead === 0 ? "level with plain" : `${tokens(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} plain`;
  return run.replanned ? `${ESTIMATE}: ${words}` : words;
}

/**
 * Instead of a speedup that cannot be trusted: why, and what was measured.
 * @param {Run} run
 * @param {Figures} f
 * @returns {Shown}
 */
function untrusted({ timing }, f) {
  const shown = { value: "–", label: LABELS.speedup };
  const source = [HOW.speedup, PLAIN_SOURCES[f.plainIs]];
  if (timing && !timing.trusted) {
    const beside = timing.between || "no figure can be trusted";
    return { ...shown, small: timing.why, beside, how: [timing.grounds, ...source].join(" ") };
  }
  const most = number(f.most, 2);
  const why = `A pass of the target wrote ${most} tokens on average, and a plain pass, which takes no longer, writes one: more than ${most}× as fast is not possible. Something slowed plain decoding down: run again.`;
  return {
    ...shown,
    small: `not possible with ${most} tokens per pass`,
    beside: `${number(f.speedup, 2)}×`,
    how: [why, ...source].join(" "),
  };
}

/**
 * @param {Run} run
 * @param {Figures} f
 * @param {Mood} mood
 * @returns {Shown}
 */
function finalOf(run, f, mood) {
  const times = `${mood === "estimate" ? "≈ " : ""}${number(f.speedup, 2)}×`;
  const { lossy } = run.drafterText;
  const slower = paceWords(f.speedup ?? 1);
  const small = [lossy ? "LOSSY" : "", slower, sourceWords(run, f)].filter(Boolean).join(", ");
  const beside = f.withPrompt === null || mood === "estimate" ? "" : `${number(f.withPrompt, 2)}× with the prompt`;
  return { value: times, label: LABELS.speedup, small, beside, how: howSpeedup(run, f) };
}

/**
 * How much slower than plain decoding; empty where it is not.
 * @param {number} speedup
 */
export function paceWords(speedup) {
  const slower = Math.round(100 * (1 - speedup));
  if (slower > 0) return `${slower}% slower than plain`;
  return number(speedup, 2) === "1.00" ? "as fast as plain" : "";
}

/**
 * @param {Run} run
 * @param {Figures} f
 */
function sourceWords({ replanned, speedups, timed, timing }, { plainIs }) {
  if (replanned) return ESTIMATE;
  if (timing?.trusted && timing.why) return timing.why;
  if (plainIs !== "measured") return "plain rate from load";
  if (speedups.length > 1) return middleWords(speedups.length);
  return timed === 1 ? "timed once" : "measured on this prompt";
}

/**
 * @param {Run} run
 * @param {Figures} f
 */
function howSpeedup(run, { plainIs }) {
  if (run.replanned) return `${REPLANNED}.`;
  const { speedups, timed, timing, drafterText } = run;
  const once = timed === 1 && plainIs === "measured";
  const sentences = [HOW.speedup, PLAIN_SOURCES[plainIs], once ? HOW.once : spread(speedups), timing?.grounds ?? ""];
  if (drafterText.lossy) sentences.push(`${drafterText.lossy}: part of the speed is bought with another text.`);
  return [...sentences, HOW.prompt].filter(Boolean).join(" ");
}

/**
 * A short run is timed several times; one pair is shown.
 * @param {number[]} speedups
 */
function spread(speedups) {
  if (speedups.length < 2) return "";
  const [low, high] = [number(Math.min(...speedups), 2), number(Math.max(...speedups), 2)];
  return `Timed ${speedups.length} times, in turn, starting with the other side each time. Shown is ${middleWords(speedups.length)}; the speedups ranged from ${low} to ${high}.`;
}

/**
 * @param {Run} run
 * @param {Figures} f
 * @param {Mood} mood
 */
function besideRate(run, f, mood) {
  if (mood === "busy" || (run.replanned && run.timing)) return "not trusted";
  if (run.replanned) return ESTIMATE;
  if (!f.final) return "so far";
  return f.plainRate ? `plain: ${number(f.plainRate, 0)}` : "";
}

/**
 * @param {Run} run
 * @param {Figures} f
 */
function howRate(run, { plainIs }) {
  if (run.replanned) return `${REPLANNED}.`;
  return [HOW.rate, PLAIN_SOURCES[plainIs], run.timing?.grounds ?? ""].filter(Boolean).join(" ");
}

/** @param {number} count */
function tokens(count) {
  return `${count} ${count === 1 ? "token" : "tokens"}`;
}

/** @param {number} count */
function passes(count) {
  return `${count} ${count === 1 ? "pass" : "passes"}`;
}
