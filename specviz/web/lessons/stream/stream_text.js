// What the pictures of streaming weights say. Pure, no DOM.

/** @import { RecordedCosts, StreamMode, WordPart } from "../types" */

import { parted, word } from "../../shared/words.js";
import { bytesWords, timeWords } from "../common/quantities.js";
import { machineWords } from "../costs/cost_text.js";
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
    how: word("All weights of {target}, as {dtype} stores them. {machine}", {
      target: costs.target,
      dtype: costs.dtype,
      machine: machineWords(costs),
    }),
  };
  const one = { text: timeWords(times.one), how: passFrom(1, costs) };
  if (mode === "one token")
    return parted(word("One pass reads {bytes} of weights in {one}. It gives one token."), { bytes, one });
  const all = {
    text: bytesWords(6 * costs.weights_bytes),
    how: word("Calculated: six times {one}.", { one: bytesWords(costs.weights_bytes) }),
  };
  const six = {
    text: timeWords(6 * times.one),
    how: `${word("Calculated: six times {one}.", { one: timeWords(times.one) })} ${passFrom(1, costs)}`,
  };
  if (mode === "six passes") {
    return parted(word("Six tokens, six passes: {all} of weights are read, in {six}."), { all, six });
  }
  const many = { text: timeWords(times.many), how: passFrom(6, costs) };
  const sentence = word("Six tokens, one pass: {bytes} of weights are read, in {many} instead of {six}.");
  return parted(sentence, { bytes, many, six });
}

/** @param {number} tokens @param {RecordedCosts} costs */
function passFrom(tokens, costs) {
  const given = { tokens, file: costs.file, machine: machineWords(costs) };
  return tokens === 1
    ? word("A pass over one token, from {file}. {machine}", given)
    : word("A pass over {tokens} tokens, from {file}. {machine}", given);
}

/** @param {StreamMode} mode @param {RecordedCosts} costs @param {import("./stream_timeline.js").PassTimes} times */
export function streamNote(mode, costs, times) {
  const slow = Number(slownessOf(mode, times).toPrecision(1));
  return `${machineWords(costs)} ${word("Shown {slow} times slower than it was; the stream is drawn evenly.", { slow })}`;
}
