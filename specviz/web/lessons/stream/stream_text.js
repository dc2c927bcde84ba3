// What the pictures of streaming weights say. Pure, no DOM.

/** @import { RecordedCosts, StreamMode, WordPart } from "../types" */

import { bytesWords, timeWords } from "../common/quantities.js";
import { machineWords } from "../measured/measured_text.js";
import { slownessOf } from "./stream_timeline.js";

/**
 * @param {StreamMode} mode
 * @param {RecordedCosts} costs
 * @param {import("./stream_timeline.js").PassTimes} times
 * @returns {WordPart[]}
 */
export function streamParts(mode, costs, times) {
  const bytes = {
    text: bytesWords(costs.weights_bytes),
    how: `All weights of ${costs.target}, as ${costs.dtype} stores them. ${machineWords(costs)}`,
  };
  const one = { text: timeWords(times.one), how: passFrom(1, costs) };
  if (mode === "one token") return ["One pass reads ", bytes, " of weights in ", one, ". It gives one token."];
  const all = {
    text: bytesWords(6 * costs.weights_bytes),
    how: `Calculated: six times ${bytesWords(costs.weights_bytes)}.`,
  };
  const six = {
    text: timeWords(6 * times.one),
    how: `Calculated: six times ${timeWords(times.one)}. ${passFrom(1, costs)}`,
  };
  if (mode === "six passes") return ["Six tokens, six passes: ", all, " of weights are read, in ", six, "."];
  const many = { text: timeWords(times.many), how: passFrom(6, costs) };
  return ["Six tokens, one pass: ", bytes, " of weights are read, in ", many, " instead of ", six, "."];
}

/**
 * @param {number} tokens
 * @param {RecordedCosts} costs
 */
function passFrom(tokens, costs) {
  return `A pass over ${tokens === 1 ? "one token" : `${tokens} tokens`}, from the profile ${costs.file}. ${machineWords(costs)}`;
}

/**
 * @param {StreamMode} mode
 * @param {RecordedCosts} costs
 * @param {import("./stream_timeline.js").PassTimes} times
 */
export function streamNote(mode, costs, times) {
  const slow = Number(slownessOf(mode, times).toPrecision(1));
  return `${machineWords(costs)} Shown ${slow} times slower than it was; the stream is drawn evenly.`;
}
