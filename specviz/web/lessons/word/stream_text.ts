// What the pictures of streaming weights say. Pure, no DOM.

import { parted, word } from "../../shared/words.ts";
import { machineWords } from "../checking/cost_text.ts";
import { bytesWords, timeWords } from "../common/quantities.ts";
import type { RecordedCosts, StreamMode, WordPart } from "../lesson_types.ts";
import { type PassTimes, slownessOf } from "./stream_timeline.ts";

export function streamParts(mode: StreamMode, costs: RecordedCosts, times: PassTimes): WordPart[] {
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

function passFrom(tokens: number, costs: RecordedCosts) {
  const given = { tokens, file: costs.file, machine: machineWords(costs) };
  return tokens === 1
    ? word("A pass over one token, from {file}. {machine}", given)
    : word("A pass over {tokens} tokens, from {file}. {machine}", given);
}

export function streamNote(mode: StreamMode, costs: RecordedCosts, times: PassTimes) {
  const slow = Number(slownessOf(mode, times).toPrecision(1));
  return `${machineWords(costs)} ${word("Shown {slow} times slower than it was.", { slow })}`;
}
