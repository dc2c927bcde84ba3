// What is said of a measurement: the sentences of the measured pictures of chapters 1 and 2, in the lesson's language. Pure, no DOM.

/** @import { BandwidthResult, MeasuredResult, PassCostResult, WordPart } from "../types" */
/** @import { CostPoint } from "../passes/pass_cost.js" */
/** @import { RoofDot, Roofline } from "../roofline/roofline.js" */

import { capitalised } from "../../shared/drafter_text.js";
import { english, fixed, parted, several, word } from "../../shared/words.js";
import { amount, bytesWords, countWords, shareWords, spelledWords, timeWords } from "../common/quantities.js";
import { expertsWords } from "../passes/pass_cost.js";
import { dotsAbove } from "../roofline/roofline.js";

export const NOT_YET = english("not measured on this machine yet");

/**
 * Where the figures come from: the model, its number format, the device and the time.
 * @param {Omit<MeasuredResult, "points" | "disturbed">} result
 */
export function machineWords({ recorded, kind, target, draft, dtype, processor, device, threads, measured_at: time }) {
  const cores = threads ? several(threads, "{n} thread", "{n} threads") : "";
  const names = [
    target,
    kind === "batch cost" && draft && word("draft {draft}", { draft }),
    dtype,
    processor || device,
    cores,
    time,
  ].filter(Boolean);
  const given = { machine: word(recorded || "this machine"), names: names.join(", ") };
  return names.length ? word("Measured on {machine}: {names}.", given) : word("Measured on {machine}.", given);
}

/**
 * How a figure was measured, for those who point at it.
 * @param {string} detail
 * @param {MeasuredResult} result
 */
export function howWords(detail, result) {
  const { context } = result;
  const before = context
    ? ` ${several(context, "Each text had {n} token before the pass.", "Each text had {n} tokens before the pass.")}`
    : "";
  return `${detail} ${machineWords(result)}${before}`;
}

/**
 * How a pass was measured: a median, and the quartiles around it.
 * @param {string} pass
 * @param {{ low: number, high: number }} spread in seconds.
 * @param {MeasuredResult} result
 */
export function passHow(pass, { low, high }, result) {
  const given = { pass, passes: result.passes ?? 0, low: timeWords(low), high: timeWords(high) };
  if (result.recorded) return howWords(word("The median of several passes {pass}.", given), result);
  return howWords(
    result.passes
      ? word("The median of at least {passes} passes {pass}; half of them took {low} to {high}.", given)
      : word("The median of several passes {pass}; half of them took {low} to {high}.", given),
    result,
  );
}

/** @param {number} tokens */
function overWords(tokens) {
  return several(tokens, "over one token", "over {n} tokens");
}

/**
 * Why the figures are not to be trusted, or what is missing; empty where all is well.
 * @param {MeasuredResult} result
 */
export function disturbedWords({ disturbed, why }) {
  if (!disturbed) return "";
  return word("⚠ Disturbed: {why}. Do not trust these figures; measure again when the machine is free.", {
    why: word(why || "other programs needed the processor"),
  });
}

export const HOW_MEMORY = "A large buffer was read from its beginning to its end, several times.";
export const HOW_CACHE = "A buffer as large as the weights was read again and again, so that a cache could hold it.";
export const HOW_ARITHMETIC = "Two large matrices were multiplied in the number format of the passes, several times.";

/**
 * @param {BandwidthResult} result
 * @param {Pick<Roofline, "one">} roofline
 * @returns {{ figure: string, how: string, words: string }}
 */
export function arithmeticWords(result, { one }) {
  return {
    figure: shareWords(one.arithmetic),
    how: howWords(
      `${spelledWords(one.rate)} operations a second in a pass over one token, divided by the ${spelledWords(result.operations_per_s)} a second of the test. ${HOW_ARITHMETIC}`,
      result,
    ),
    words: "of the arithmetic is used by a pass over one token",
  };
}

/** @param {BandwidthResult} result @param {Roofline} roofline @returns {WordPart[]} */
export function readingWords(result, { one, dots }) {
  const { pass_low_s, pass_high_s, pass_s } = result;
  const spread = { low: pass_low_s || pass_s, high: pass_high_s || pass_s };
  const bytes = { text: bytesWords(result.weights_bytes), how: "" };
  bytes.how = howWords("The weights that one pass reads, from the model's own shapes.", result);
  const pass = { text: timeWords(one.pass_s), how: passHow(overWords(1), spread, result) };
  const speed = { text: `${bytesWords(one.reading * result.reading_bytes_per_s)} a second`, how: "" };
  speed.how = howWords("All that the pass reads, with the keys and values of the text, divided by its time.", result);
  const memory = { text: `${bytesWords(result.reading_bytes_per_s)} a second`, how: "" };
  memory.how = howWords(HOW_MEMORY, result);
  /** @type {WordPart[]} */
  const parts = [
    "It reads ",
    bytes,
    " of weights in ",
    pass,
    ": ",
    speed,
    ". Memory alone was measured at ",
    memory,
    ".",
  ];
  const most = dots[dots.length - 1];
  if (most.tokens > 1)
    parts.push(` A pass over ${amount(most.tokens, "token")} uses `, shareOf(most, result), " of the arithmetic.");
  return parts;
}

/** @param {RoofDot} dot @param {BandwidthResult} result */
function shareOf(dot, result) {
  const { rate, tokens, pass_s } = dot;
  return {
    text: shareWords(dot.arithmetic),
    how: howWords(
      `${spelledWords(rate)} operations a second in a pass over ${amount(tokens, "token")}, which took ${timeWords(pass_s)}.`,
      result,
    ),
  };
}

/** A sentence on the dots above the roof; empty where there are none. @param {Roofline} roofline */
export function aboveWords({ dots, cache }) {
  const { memory, arithmetic } = dotsAbove(dots);
  const here = cache ? `, at ${bytesWords(cache)} a second here` : "";
  const first = memory.length
    ? `${dotNames(memory)} above the slanted roof: weights that stay in a cache are read faster than from memory${here}.`
    : "";
  const second = arithmetic.length
    ? `${dotNames(arithmetic)} above the flat roof: faster than the test that measured the arithmetic.`
    : "";
  return [first, second].filter(Boolean).join(" ");
}

/** @param {RoofDot[]} dots */
function dotNames(dots) {
  const names = dots.map(({ tokens }) => String(tokens));
  const last = names.pop();
  const list = names.length ? `${names.join(", ")} and ${last}` : last;
  return `The ${dots.length === 1 ? "dot" : "dots"} for ${list} ${last === "1" ? "token lies" : dots.length === 1 ? "tokens lies" : "tokens lie"}`;
}

/**
 * One pass over n tokens against n passes over one.
 * @param {PassCostResult} result
 * @param {CostPoint[]} curve
 * @param {number} index
 * @returns {WordPart[]}
 */
export function costParts(result, curve, index) {
  const one = timeOf(curve[0], result, curve[0]);
  const { tokens, pass_s, v } = curve[index];
  if (tokens === 1)
    return [
      ...parted(word("One pass over one token: {one}. All others are compared with it: v(1) = 1."), { one }),
      expertsWords(result, index),
    ];
  const many = { text: timeWords(tokens * curve[0].pass_s), how: "" };
  many.how = howWords(
    word("Calculated: {tokens} times the measured {one}.", { tokens, one: timeWords(curve[0].pass_s) }),
    result,
  );
  const ratio = { text: `v(${tokens}) = ${fixed(v, 2)}`, how: "" };
  ratio.how = howWords(
    word("{many} divided by {one}, both measured.", { many: timeWords(pass_s), one: timeWords(curve[0].pass_s) }),
    result,
  );
  const sentence = word("One pass over {tokens} tokens: {time}. {Count} passes over one token: {many}. {ratio}.", {
    tokens,
    Count: capitalised(countWords(tokens)),
  });
  return [
    ...parted(sentence, { time: timeOf(curve[index], result, curve[0]), many, ratio }),
    expertsWords(result, index),
  ];
}

/** @param {CostPoint} point @param {PassCostResult} result @param {CostPoint} one */
function timeOf(point, result, one) {
  return { text: timeWords(point.pass_s), how: pointHow(point, result, one) };
}

/**
 * How a point of the curve was measured.
 * @param {CostPoint} point
 * @param {PassCostResult} result
 * @param {CostPoint} one
 */
export function pointHow({ tokens, low, high }, result, one) {
  const spread = { low: low * one.pass_s, high: high * one.pass_s };
  return passHow(overWords(tokens), spread, result);
}

/** @param {CostPoint[]} curve @param {number | null} bend */
export function bendWords(curve, bend) {
  const most = curve[curve.length - 1].tokens;
  if (most === 1) return "";
  if (bend === null)
    return word("No bend up to {most} tokens: on average, one more token costs less than half of a one-token pass.", {
      most,
    });
  if (bend === 1)
    return word("It rises from the first token on: one more token costs more than half of a one-token pass.");
  return word(
    "It bends at about {bend} tokens: from there on, one more token costs more than half of a one-token pass.",
    {
      bend,
    },
  );
}

/** What the pass over n tokens saves, or loses, against n passes. @param {CostPoint} point */
export function gapWords({ tokens, v }) {
  const gap = fixed(Math.abs(tokens - v), 1);
  return v <= tokens
    ? { text: word("✓ saved: {gap} passes", { gap }), state: "saved" }
    : { text: word("✕ lost: {gap} passes", { gap }), state: "lost" };
}
