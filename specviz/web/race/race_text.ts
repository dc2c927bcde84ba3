// What is said of a lane: pure functions, no DOM.

import { capitalised } from "../shared/drafter_text.ts";
import type { Looks } from "../shared/json_types.ts";
import { clockWords, number, passCount, tokenCount } from "../shared/labels.ts";
import { english, fixed, several, word } from "../shared/words.ts";
import type { Moment } from "./race_course.ts";
import type { Course, Lane, Origin } from "./race_reading.ts";
import type { Gap } from "./race_types.ts";

const RANKS = ["", english("1st"), english("2nd"), english("3rd"), english("4th")];

export function rankWords(rank: number) {
  return rank ? word(RANKS[rank]) : "";
}

const AHEAD = "▲";
const BEHIND = "▼";

const NOT_KNOWN = {
  yet: english("plain is not recorded yet"),
  ever: english("– not known: a run has no end"),
};
const ALONE = english("Each lane was measured alone, with the same engine.");

const HOW = {
  rate: english(
    "New tokens per second of the engine's clock. It runs only while the engine works: reading the prompt and your watching do not count.",
  ),
  passes: english(
    "Passes of the target so far. Plain decoding needs one pass for every token. A block of the bar is one pass, as long as it took; the number in it is how many tokens it wrote.",
  ),
  time: english("The time on the engine's clock from the first pass to the last. Reading the prompt does not count."),
  tokens: english("New tokens at this moment of the clock that all lanes share."),
  apart: english("Tokens of this lane minus tokens of the plain lane at this moment of the clock."),
  ends: english("One of the two lanes has finished; the other one still writes."),
  guesses: english("Guesses accepted of those checked so far. The bar is their share."),
  speedup: english(
    "Plain decoding's time divided by this lane's, for the same number of tokens. Below 1 it is slower.",
  ),
};

/** How a figure of a lane was measured. */
export function howInRace(name: keyof typeof HOW) {
  const beside = ["apart", "ends", "speedup"].includes(name) ? ` ${word(ALONE)}` : "";
  const prompt = name === "speedup" ? ` ${word("Reading the prompt does not count")}` : "";
  return `${word(HOW[name])}${beside}${prompt}`;
}

// ---------------------------------------------------------------- numbers

export function factorWords(factor: number) {
  if (factor <= 1) return word("Real time");
  const shown = Number(factor.toPrecision(2));
  return word("Slow motion, {factor}×", { factor: fixed(shown, String(shown).split(".")[1]?.length ?? 0) });
}

/** A difference of two times: one digit less, but never nothing where there is something. */
function differenceWords(seconds: number, span: number) {
  return span >= 1 && seconds >= 0.095 ? `${fixed(seconds, 1)} s` : clockWords(seconds, span);
}

// ---------------------------------------------------------------- a lane

/** The one large number of a lane, in words, and how it was measured; `tone` is that of its colour, which only what was measured has. */
type Headline = { value: string; small: string; tone: "" | "ahead" | "behind"; how: string };

function headline(value: string, small: string, how: string, tone: Headline["tone"] = ""): Headline {
  return { value, small, tone, how };
}

/**
 * While a lane runs: how many tokens it is ahead of plain. Once both have finished and all timings are done: the ratio. Plain has its rate in the
 * end.
 */
export function laneHeadline(course: Course, lane: Lane, now: Moment): Headline {
  if (lane.alone) return now.speedup === null ? guessesWords(lane, now) : ratioWords(now.speedup, null);
  if (lane === course.plain || !course.race) {
    if (now.finished && now.rate !== null) return rateWords(now.rate, lane.busy);
    return headline("", "", howInRace("rate"));
  }
  if (lane.busy) return headline("", lane.busy, howInRace("speedup"));
  if (now.gap?.final && !lane.judged)
    return headline(word("Finished"), word("and still being timed"), howInRace("speedup"));
  if (now.speedup !== null) return ratioWords(now.speedup, now.withPrompt);
  if (!now.gap)
    return headline("", now.passes ? word(NOT_KNOWN[course.live ? "yet" : "ever"]) : "", howInRace("apart"));
  return gapHeadline(now.gap);
}

function guessesWords({ totals }: Lane, { passes }: Moment) {
  const { accepted, judged } = totals[passes];
  const value = judged ? word("{some} of {all}", { some: accepted, all: judged }) : "";
  return headline(value, judged ? word("guesses right") : "", howInRace("guesses"));
}

/** @param busy why it is not trusted; empty where it is. */
function rateWords(rate: number, busy: string) {
  const small = busy ? word("tokens a second, but {why}", { why: busy }) : word("tokens a second");
  return headline(number(rate, 0), small, howInRace("rate"));
}

function ratioWords(speedup: number, withPrompt: number | null) {
  const how = `${howInRace("speedup")}${withPrompt === null ? "" : word("; with it: {speed}×", { speed: number(withPrompt, 2) })}.`;
  const slower = Math.round(100 * (1 - speedup));
  const words = slower > 0 ? word("{share}% slower than plain", { share: slower }) : word("as fast as plain");
  return headline(`${number(speedup, 2)}×`, words, how, slower > 0 ? "behind" : "ahead");
}

function gapHeadline({ kind, tokens, final }: Gap) {
  const n = tokens ?? 0;
  const [apart, ends, finished] = [howInRace("apart"), howInRace("ends"), word("Finished")];
  if (kind === "earlier") return headline(finished, earlierWords(final, tokens), ends, "ahead");
  if (kind === "together") return headline(finished, word("together with plain"), ends);
  if (kind === "later") {
    if (final) return headline(finished, word("after plain"), ends, "behind");
    return tokens === null
      ? headline(`${BEHIND} `, word("still writes, plain has finished"), ends, "behind")
      : headline(`${BEHIND} ${n}`, several(n, "[token|tokens] to go, plain has finished"), ends, "behind");
  }
  if (kind === "behind") {
    return headline(`${BEHIND} ${n}`, several(n, "[token|tokens] behind plain"), apart, "behind");
  }
  const ahead = several(n, "[token|tokens] ahead of plain");
  return kind === "level" ? headline("0", ahead, apart) : headline(`${AHEAD} ${n}`, ahead, apart, "ahead");
}

/** @param left how many tokens plain still has to write, where that is known. */
function earlierWords(final: boolean, left: number | null) {
  if (final) return word("before plain");
  return left === null ? word("plain still writes") : several(left, "plain has {n} [token|tokens] to go");
}

/**
 * What is written at the bracket, which grows while the second of the two still writes; nothing while both do.
 * @param busy why the times are not trusted; empty where they are.
 */
export function bracketWords(gap: Gap | null, span: number, busy = "") {
  if (!gap) return "";
  const seconds = differenceWords(gap.to - gap.from, span);
  const added = busy ? word(", not trusted") : fewerWords(gap.fewer);
  const given = { seconds, added };
  switch (gap.kind) {
    case "earlier":
      if (!gap.final) return `${AHEAD} ${word("finished {seconds} ago{added}", given)}`;
      return `${AHEAD} ${added ? word("{seconds} earlier{added}", given) : word("{seconds} earlier than plain", given)}`;
    case "later":
      if (!gap.final) return `${BEHIND} ${word("plain finished {seconds} ago{added}", given)}`;
      return `${BEHIND} ${added ? word("{seconds} later{added}", given) : word("{seconds} later than plain", given)}`;
    case "together":
      return word("finished together{added}", given);
  }
  return "";
}

function fewerWords(fewer: number) {
  if (!fewer) return "";
  return fewer > 0
    ? several(fewer, ", with {n} [token|tokens] fewer")
    : several(-fewer, ", with {n} [token|tokens] more");
}

/** What a block of a lane's bar is. */
export const BLOCK = english("one pass, with its tokens");

/** Said where the system asks for less motion. */
export const STILL = english("Shown finished, because your system asks for less motion: press Play to see it run.");

export const LEGEND: ("accepted" | "corrected" | "bonus")[] = ["accepted", "corrected", "bonus"];

/** A mark and a word for how a token came. */
export function lookWords(looks: Looks, how: (typeof LEGEND)[number]) {
  const { mark, word } = looks[how];
  return `${mark} ${word}`;
}

export function originWords(origin: Origin, lane: Lane, looks: Looks) {
  const given = { pass: origin.round + 1 };
  if (lane.kind === "plain" || origin.how === "own") return word("target's own token, pass {pass}", given);
  const look = lookWords(looks, origin.how);
  return origin.how === "corrected"
    ? word("{look} instead of a rejected one, pass {pass}", { look, ...given })
    : word("{look}, pass {pass}", { look, ...given });
}

/** What happens to a lane that is not recorded yet, with the tokens that have been; nothing once it is. */
export function recordingWords({ state, say, total }: Lane) {
  if (state === "done" || state === "stopped" || !say) return "";
  const sentence = capitalised(say);
  return state === "recording" && total
    ? several(total, "{sentence}: {n} [token|tokens] so far", { sentence })
    : sentence;
}

/** What has been written so far. */
export function passesWords(lane: Lane, { tokens, passes, finished }: Moment) {
  if (!passes) return "";
  const written = word("{tokens} in {passes}", {
    tokens: tokenCount(tokens),
    passes: passCount(passes),
  });
  return finished && !lane.done ? `${written}${word(", stopped")}` : written;
}

/** One sentence for screen readers, when a lane comes to its end. */
export function finishWords(course: Course, lane: Lane, now: Moment) {
  const given = {
    name: lane.name,
    words: lane.words,
    rank: now.rank ? `, ${rankWords(now.rank)}` : "",
    tokens: tokenCount(now.tokens),
    time: clockWords(lane.known, course.span),
  };
  const { value, small } = laneHeadline(course, lane, now);
  const alone = lane.alone && now.speedup !== null ? ` ${value} ${small}.` : "";
  const words =
    lane.state === "stopped"
      ? word("{name} ({words}) was stopped{rank}: {tokens} in {time}.", given)
      : word("{name} ({words}) finished{rank}: {tokens} in {time}.", given);
  return words + alone;
}

/** One sentence for screen readers, when both a lane and plain have finished. */
export function outcomeWords(course: Course, lane: Lane, now: Moment) {
  const bracket = bracketWords(now.gap, course.span, lane.busy).replace(/^[▲▼] /u, "");
  const { value, small } = laneHeadline(course, lane, now);
  return `${lane.name}: ${bracket}; ${value} ${small}.`;
}
