// What is said of a lane: pure functions, no DOM.

/** @import { Course, Gap, Lane, Looks, Moment, Origin } from "../shared/types" */

import { clockWords, counted, number, plural } from "../shared/labels.js";

export const RANKS = ["", "1st", "2nd", "3rd", "4th"];
const AHEAD = "▲";
const BEHIND = "▼";

const NOT_KNOWN = { yet: "plain is not recorded yet", ever: "– not known: a run has no end" };
const ALONE = "Each lane was measured alone, with the same engine.";

export const HOW_IN_RACE = {
  rate: "New tokens per second of the engine's clock. It runs only while the engine works: reading the prompt and your watching do not count.",
  passes:
    "Passes of the target so far. Plain decoding needs one pass for every token. A block of the bar is one pass, as long as it took; the number in it is how many tokens it wrote.",
  time: "The time on the engine's clock from the first pass to the last. Reading the prompt does not count.",
  tokens: "New tokens at this moment of the clock that all lanes share.",
  apart: `Tokens of this lane minus tokens of the plain lane at this moment of the clock. ${ALONE}`,
  ends: `One of the two lanes has finished; the other one still writes. ${ALONE}`,
  speedup: `Plain decoding's time divided by this lane's, for the same number of tokens. Below 1 it is slower. ${ALONE} Reading the prompt does not count`,
};

// ---------------------------------------------------------------- numbers

/** @param {number} factor */
export function factorWords(factor) {
  return factor <= 1 ? "Real time" : `Slow motion, ${Number(factor.toPrecision(2))}×`;
}

/**
 * A difference of two times: one digit less, but never nothing where there is something.
 * @param {number} seconds
 * @param {number} span
 */
function differenceWords(seconds, span) {
  return span >= 1 && seconds >= 0.095 ? `${seconds.toFixed(1)} s` : clockWords(seconds, span);
}

// ---------------------------------------------------------------- a lane

/**
 * The one large number of a lane, in words, and how it was measured; `tone` is that of its colour.
 * @typedef {{ value: string, small: string, tone: "" | "ahead" | "behind", how: string }} Headline
 */

/**
 * @param {string} value
 * @param {string} small
 * @param {string} how
 * @param {Headline["tone"]} [tone]
 * @returns {Headline}
 */
function headline(value, small, how, tone = "") {
  return { value, small, tone, how };
}

/**
 * While a lane runs: how many tokens it is ahead of plain. Once both have finished: the ratio. Plain has its rate in the end.
 * @param {Course} course
 * @param {Lane} lane
 * @param {Moment} now
 * @returns {Headline}
 */
export function laneHeadline(course, lane, now) {
  if (lane === course.plain || !course.race) {
    if (now.finished && now.rate !== null) return rateWords(now.rate, lane.busy);
    return headline("", "", HOW_IN_RACE.rate);
  }
  if (lane.busy) return headline("", lane.busy, HOW_IN_RACE.speedup, "behind");
  if (now.speedup !== null) return ratioWords(now.speedup, now.withPrompt);
  if (!now.gap) return headline("", now.passes ? NOT_KNOWN[course.live ? "yet" : "ever"] : "", HOW_IN_RACE.apart);
  return gapHeadline(now.gap);
}

/**
 * @param {number} rate
 * @param {string} busy why it is not trusted; empty where it is.
 */
function rateWords(rate, busy) {
  const small = busy ? `tokens a second, but ${busy}` : "tokens a second";
  return headline(number(rate, 0), small, HOW_IN_RACE.rate, busy ? "behind" : "");
}

/**
 * @param {number} speedup
 * @param {number | null} withPrompt
 */
function ratioWords(speedup, withPrompt) {
  const how = `${HOW_IN_RACE.speedup}${withPrompt === null ? "" : `; with it: ${number(withPrompt, 2)}×`}.`;
  const slower = Math.round(100 * (1 - speedup));
  const words = slower > 0 ? `${slower}% slower than plain` : "as fast as plain";
  return headline(`${number(speedup, 2)}×`, words, how, slower > 0 ? "behind" : "ahead");
}

/** @param {Gap} gap */
function gapHeadline({ kind, tokens, final }) {
  const noun = plural(tokens ?? 0, "token");
  const count = tokens === null ? "" : String(tokens);
  switch (kind) {
    case "ahead":
      return headline(`${AHEAD} ${count}`, `${noun} ahead of plain`, HOW_IN_RACE.apart, "ahead");
    case "behind":
      return headline(`${BEHIND} ${count}`, `${noun} behind plain`, HOW_IN_RACE.apart, "behind");
    case "level":
      return headline("0", "tokens ahead of plain", HOW_IN_RACE.apart);
    case "earlier":
      return headline("Finished", earlierWords(final, count && `${count} ${noun}`), HOW_IN_RACE.ends, "ahead");
    case "later":
      if (final) return headline("Finished", "after plain", HOW_IN_RACE.ends, "behind");
      return headline(
        `${BEHIND} ${count}`,
        `${count ? `${noun} to go` : "still writes"}, plain has finished`,
        HOW_IN_RACE.ends,
        "behind",
      );
  }
  return headline("Finished", "together with plain", HOW_IN_RACE.ends);
}

/**
 * @param {boolean} final
 * @param {string} left what plain still has to write, where that is known.
 */
function earlierWords(final, left) {
  if (final) return "before plain";
  return left ? `plain has ${left} to go` : "plain still writes";
}

/**
 * What is written at the bracket, which grows while the second of the two still writes; nothing while both do.
 * @param {Gap | null} gap
 * @param {number} span
 * @param {string} busy why the times are not trusted; empty where they are.
 */
export function bracketWords(gap, span, busy = "") {
  if (!gap) return "";
  const seconds = differenceWords(gap.to - gap.from, span);
  const added = busy ? ", not trusted" : fewerWords(gap.fewer);
  switch (gap.kind) {
    case "earlier":
      return gap.final
        ? `${AHEAD} ${seconds} earlier${added || " than plain"}`
        : `${AHEAD} finished ${seconds} ago${added}`;
    case "later":
      return gap.final
        ? `${BEHIND} ${seconds} later${added || " than plain"}`
        : `${BEHIND} plain finished ${seconds} ago${added}`;
    case "together":
      return `finished together${added}`;
  }
  return "";
}

/** @param {number} fewer */
function fewerWords(fewer) {
  if (!fewer) return "";
  return `, with ${counted(Math.abs(fewer))} ${fewer > 0 ? "fewer" : "more"}`;
}

/** What a block of a lane's bar is. */
export const BLOCK = "one pass, with its tokens";

/** Said where the system asks for less motion. */
export const STILL = "Shown finished, because your system asks for less motion: press Play to see it run.";

/** @type {("accepted" | "corrected" | "bonus")[]} */
export const LEGEND = ["accepted", "corrected", "bonus"];

/**
 * A mark and a word for how a token came.
 * @param {Looks} looks
 * @param {typeof LEGEND[number]} how
 */
export function lookWords(looks, how) {
  const { mark, word } = looks[how];
  return `${mark} ${word}`;
}

/**
 * @param {Origin} origin
 * @param {Lane} lane
 * @param {Looks} looks
 */
export function originWords(origin, lane, looks) {
  const pass = `pass ${origin.round + 1}`;
  if (lane.kind === "plain" || origin.how === "own") return `target's own token, ${pass}`;
  return `${lookWords(looks, origin.how)}${origin.how === "corrected" ? " instead of a rejected one" : ""}, ${pass}`;
}

/**
 * What happens to a lane that is not recorded yet, with the tokens that have been; nothing once it is.
 * @param {Lane} lane
 */
export function recordingWords({ state, say, total }) {
  if (state === "done" || state === "stopped" || !say) return "";
  const sentence = `${say[0].toUpperCase()}${say.slice(1)}`;
  return state === "recording" && total ? `${sentence}: ${counted(total)} so far` : sentence;
}

/**
 * What has been written so far.
 * @param {Lane} lane
 * @param {Moment} now
 */
export function passesWords(lane, { tokens, passes, finished }) {
  if (!passes) return "";
  return `${counted(tokens)} in ${counted(passes, "pass")}${finished && !lane.done ? ", stopped" : ""}`;
}

/**
 * One sentence for screen readers, when a lane comes to its end.
 * @param {Course} course
 * @param {Lane} lane
 * @param {Moment} now
 */
export function finishWords(course, lane, now) {
  const rank = now.rank ? `, ${RANKS[now.rank]}` : "";
  const ended = lane.state === "stopped" ? "was stopped" : "finished";
  return `${lane.name} (${lane.words}) ${ended}${rank}: ${counted(now.tokens)} in ${clockWords(lane.known, course.span)}.`;
}

/**
 * One sentence for screen readers, when both a lane and plain have finished.
 * @param {Course} course
 * @param {Lane} lane
 * @param {Moment} now
 */
export function outcomeWords(course, lane, now) {
  const bracket = bracketWords(now.gap, course.span, lane.busy).replace(/^[▲▼] /u, "");
  const { value, small } = laneHeadline(course, lane, now);
  return `${lane.name}: ${bracket}; ${value} ${small}.`;
}
