// What the dial says: the figures in words, each with how it was measured: one steady count while a run plays, the speedup when it is final. No DOM.

import { NOBODY } from "../shared/drafter_text.ts";
import { figuresAt, isPossible, middleWords } from "../shared/figures.ts";
import { number, passCount, percent, tokenCount } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { english, several, textOnPage, word } from "../shared/words.ts";

/** One figure: its value and what it counts, two small lines, and how it was measured. */
export type FigureText = { value: string; label: string; small: string; beside: string; how: string };

/**
 * What kind of number the headline is: a count while the run plays; a speedup, a slowdown or an estimate at its end; or that the
 * times cannot be trusted.
 */
type Mood = "count" | "faster" | "slower" | "estimate" | "busy";

type Figures = NonNullable<ReturnType<typeof figuresAt>>;

const HOW = {
  count: english(
    "Passes of the target model. Plain decoding needs one pass for every token. Ahead or behind: the tokens of this run minus those that plain decoding had written by the same time of the engine's clock. The speedup is shown when it is final, because over a few rounds one rejected guess decides it.",
  ),
  speedup: english("Speedup: for the same tokens, the time of plain decoding over the time of this run."),
  prompt: english("Reading the prompt is not counted on either side."),
  withPrompt: english(
    "With the prompt, counted on both sides, it is {speed}×: only speculation also pays for the draft's own reading.",
  ),
  once: english(
    "Timed once, the speculative run first: a longer run is not repeated, because others may wait for the engine.",
  ),
  rate: english("New tokens over engine seconds: the engine's clock runs only while it works, never while you watch."),
  perPass: english("New tokens over passes of the target model; plain decoding always has 1."),
  accepted: english(
    "Guesses accepted over guesses checked. Those after a rejection were never checked and do not count.",
  ),
};

const PLAIN_SOURCES = {
  measured: english("Plain decoding was measured on this prompt: the same engine, alone, right after this run."),
  load: english("Plain decoding of this prompt is still being measured."),
  stopped: english(
    "The run was stopped before plain decoding of this prompt was measured: its rate is the one measured when the pair was loaded.",
  ),
  none: english("Plain decoding was not measured for this run."),
};

const LABELS = {
  passes: english("passes of the target"),
  speedup: english("speedup over plain decoding"),
  rate: english("tokens a second"),
  perPass: english("tokens per pass"),
  accepted: english("guesses accepted (of those checked)"),
};

const SMALL = { small: "", beside: "" };

/** All figures at a moment, and what kind of number the headline is. */
export function headlineOf(run: Run, position: Position) {
  const f = figuresAt(run, position);
  const mood = f ? moodOf(run, f) : "count";
  const { passes, rate, perPass, accepted } = LABELS;
  if (!f?.passes) {
    const dash = (label: string): FigureText => ({ ...SMALL, value: "–", label: word(label), how: "" });
    return { mood, speedup: dash(passes), rate: dash(rate), perPass: dash(perPass), accepted: dash(accepted) };
  }
  const headline = mood === "count" ? countOf(run, f) : mood === "busy" ? untrusted(run, f) : finalOf(run, f, mood);
  const rateText = { value: number(f.rate, 0), label: word(rate), small: besideRate(f, mood), how: howRate(run, f) };
  return {
    mood,
    speedup: noted(run, headline),
    rate: { ...SMALL, ...rateText },
    perPass: {
      ...SMALL,
      value: number(f.perPass, 2),
      label: word(perPass),
      small: word("{tokens} in {passes}", { tokens: tokenCount(f.tokens), passes: passCount(f.passes) }),
      how: word(HOW.perPass),
    },
    accepted: {
      ...SMALL,
      value: f.judged ? word("{some} of {all}", { some: f.accepted, all: f.judged }) : "–",
      label: word(accepted),
      small: f.judged ? percent(f.accepted / f.judged) : word("nothing to check"),
      how: word(HOW.accepted),
    },
  };
}

/** A figure with what its run's card notes: paths that were set aside or not captured. */
function noted({ card }: Run, figure: FigureText): FigureText {
  return { ...figure, how: [figure.how, ...(card?.notes ?? []).map((note) => word(note))].filter(Boolean).join(" ") };
}

function moodOf(run: Run, f: Figures): Mood {
  if (!f.final || f.speedup === null) return "count";
  const doubted = (run.timing && !run.timing.trusted) || !isPossible(f.speedup, f.most);
  if (doubted) return "busy";
  if (f.plainIs !== "measured") return "estimate";
  return f.speedup < 1 ? "slower" : "faster";
}

function countOf(run: Run, f: Figures): FigureText {
  const plain = f.passes === f.tokens;
  return {
    value: String(f.passes),
    label: plain
      ? several(f.passes, "[pass|passes] for {tokens}", { tokens: tokenCount(f.tokens) })
      : several(f.passes, "[pass|passes] instead of {tokens}", { tokens: f.tokens }),
    small: aheadWords(run, f),
    beside: "",
    how: [word(HOW.count), word(PLAIN_SOURCES[f.plainIs])].filter(Boolean).join(" "),
  };
}

/** How far ahead of plain decoding it is: a figure of the clock, so not where that cannot be trusted. */
function aheadWords(run: Run, { ahead, plainIs }: Figures) {
  if (run.drafterText.name === NOBODY) return word("plain decoding: nothing is drafted");
  if (run.timing && !run.timing.trusted) return textOnPage(run.timing.why);
  if (ahead === null) return plainIs === "none" && run.over ? word("no plain run") : "";
  if (ahead === 0) return word("level with plain");
  return ahead > 0
    ? several(ahead, "{n} [token|tokens] ahead of plain")
    : several(-ahead, "{n} [token|tokens] behind plain");
}

/** The passes, which are exact, instead of a speedup that cannot be trusted: why, and what was measured. */
function untrusted(run: Run, f: Figures): FigureText {
  const { timing } = run;
  const count = countOf(run, f);
  const source = [word(HOW.speedup), word(PLAIN_SOURCES[f.plainIs])];
  if (timing && !timing.trusted) {
    const beside = timing.between ? textOnPage(timing.between) : word("no figure can be trusted");
    return {
      ...count,
      small: textOnPage(timing.why),
      beside,
      how: [textOnPage(timing.grounds ?? ""), ...source].join(" "),
    };
  }
  const most = number(f.most, 2);
  const why = word(
    "A pass of the target wrote {most} tokens on average, and a plain pass, which takes no longer, writes one: more than {most}× as fast is not possible. Something slowed plain decoding down: run again.",
    { most },
  );
  return {
    ...count,
    small: word("not possible with {most} tokens per pass", { most }),
    beside: "",
    how: [why, ...source].join(" "),
  };
}

function finalOf(run: Run, f: Figures, mood: Mood): FigureText {
  const times = `${mood === "estimate" ? "≈ " : ""}${number(f.speedup, 2)}×`;
  const { lossy } = run.drafterText;
  const slower = paceWords(f.speedup ?? 1);
  const small = [lossy ? word("LOSSY") : "", slower, sourceWords(run, f)].filter(Boolean).join(", ");
  return { value: times, label: word(LABELS.speedup), small, beside: "", how: howSpeedup(run, f) };
}

/** How much slower than plain decoding; empty where it is not. */
export function paceWords(speedup: number) {
  const slower = Math.round(100 * (1 - speedup));
  if (slower > 0) return word("{share}% slower than plain", { share: slower });
  return speedup.toFixed(2) === "1.00" ? word("as fast as plain") : "";
}

function sourceWords({ speedups, timed, timing }: Run, { plainIs }: Figures) {
  if (timing?.trusted && timing.why) return textOnPage(timing.why);
  if (plainIs !== "measured") return word("plain rate from load");
  if (speedups.length > 1) return middleWords(speedups.length);
  return timed === 1 ? word("timed once") : word("measured on this prompt");
}

function howSpeedup(run: Run, { plainIs, withPrompt }: Figures) {
  const { speedups, timed, timing, drafterText } = run;
  const once = timed === 1 && plainIs === "measured";
  const sentences = [
    word(HOW.speedup),
    word(PLAIN_SOURCES[plainIs]),
    once ? word(HOW.once) : spread(speedups),
    textOnPage(timing?.grounds ?? ""),
  ];
  const { lossy } = drafterText;
  if (lossy) sentences.push(word("{lossy}: part of the speed is bought with another text.", { lossy }));
  const all = withPrompt !== null && plainIs === "measured";
  sentences.push(word(HOW.prompt), all ? word(HOW.withPrompt, { speed: number(withPrompt, 2) }) : "");
  return sentences.filter(Boolean).join(" ");
}

/** A short run is timed several times; one pair is shown. */
function spread(speedups: number[]) {
  if (speedups.length < 2) return "";
  const [low, high] = [number(Math.min(...speedups), 2), number(Math.max(...speedups), 2)];
  return word(
    "Timed {times} times, in turn, starting with the other side each time. Shown is {shown}; the speedups ranged from {low} to {high}.",
    { times: speedups.length, shown: middleWords(speedups.length), low, high },
  );
}

function besideRate(f: Figures, mood: Mood) {
  if (mood === "busy") return word("not trusted");
  if (!f.final) return word("so far");
  return f.plainRate ? word("plain: {rate}", { rate: number(f.plainRate, 0) }) : "";
}

function howRate(run: Run, { plainIs }: Figures) {
  return [word(HOW.rate), word(PLAIN_SOURCES[plainIs]), textOnPage(run.timing?.grounds ?? "")]
    .filter(Boolean)
    .join(" ");
}
