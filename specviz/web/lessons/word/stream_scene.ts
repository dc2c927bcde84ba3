// Passes that read weights: what is to be seen of them at a moment of the viewer's clock, and what is said of that. Pure, no DOM.

import { duration } from "../../shared/labels.ts";
import { fixed, parted, word } from "../../shared/words.ts";
import { machineWords } from "../checking/cost_curve.ts";
import type { RecordedCosts, StreamMode, WordPart } from "../lesson_types.ts";

/** What passes took, in seconds: over one token, and over all tokens of the picture. */
export type PassTimes = { one: number; many: number };
/**
 * `joined`: 0 where each token has a pass of its own, 1 where all share one. `shares`: how much of the weights has gone past each token.
 * `blocks`: the passes on the time axis, in seconds. `elapsed`: seconds of the machine. `readings`: how many times all weights were read.
 */
export type StreamScene = {
  joined: number;
  shares: number[];
  blocks: { from: number; to: number }[];
  elapsed: number;
  readings: number;
  ended: boolean;
};

/** Seconds of the viewer for a pass over one token. */
const SHOWN_S: Record<StreamMode, number> = { "one token": 3.5, "six passes": 1.1, "six in one": 1.1 };
/** How long six passes take to become one. */
const MORPH_S = 1.8;
const TOKENS: Record<StreamMode, number> = { "one token": 1, "six passes": 6, "six in one": 6 };

export function tokensIn(mode: StreamMode) {
  return TOKENS[mode];
}

/** How much longer than the machine took a pass is shown. */
function slownessOf(mode: StreamMode, { one }: PassTimes) {
  return SHOWN_S[mode] / one;
}

/** The length of the picture in seconds of the viewer. */
export function streamEnd(mode: StreamMode, times: PassTimes) {
  const slow = slownessOf(mode, times);
  return mode === "six in one" ? MORPH_S + slow * times.many : slow * times.one * TOKENS[mode];
}

/** @param clock seconds of the viewer. */
export function sceneAt(mode: StreamMode, times: PassTimes, clock: number): StreamScene {
  const ended = clock >= streamEnd(mode, times);
  const slow = slownessOf(mode, times);
  const rows = Array.from({ length: TOKENS[mode] }, (_, i) => i);
  const apart = rows.map((i) => ({ from: i * times.one, to: (i + 1) * times.one }));
  if (mode !== "six in one") {
    const readings = ended ? rows.length : clock / slow / times.one;
    const shares = rows.map((i) => Math.min(1, Math.max(0, readings - i)));
    return { joined: 0, shares, blocks: apart, elapsed: readings * times.one, readings, ended };
  }
  const moved = Math.min(1, clock / MORPH_S);
  const joined = moved * moved * (3 - 2 * moved); // begins and ends slowly
  const elapsed = ended ? times.many : Math.max(0, (clock - MORPH_S) / slow);
  const share = joined < 1 ? 1 - joined : elapsed / times.many;
  const blocks = apart.map(({ from, to }) => ({ from: from * (1 - joined), to: to + (times.many - to) * joined }));
  const readings = joined < 1 ? 0 : elapsed / times.many;
  return { joined, shares: rows.map(() => share), blocks, elapsed, readings, ended };
}

/** The picture in a sentence, with how its figures were measured or calculated. */
export function streamParts(mode: StreamMode, costs: RecordedCosts, times: PassTimes): WordPart[] {
  const { target, dtype, weights_bytes } = costs;
  const machine = machineWords(costs);
  const six = (one: string) => word("Calculated: six times {one}.", { one });
  const [bytes, one] = [bytesWords(weights_bytes), duration(times.one)];
  const sentences = {
    "one token": word("One pass reads {bytes} of weights in {one}. It gives one token."),
    "six passes": word("Six tokens, six passes: {all} of weights are read, in {six}."),
    "six in one": word("Six tokens, one pass: {bytes} of weights are read, in {many} instead of {six}."),
  };
  return parted(sentences[mode], {
    bytes: {
      text: bytes,
      how: word("All weights of {target}, as {dtype} stores them. {machine}", { target, dtype, machine }),
    },
    one: { text: one, how: passFrom(1, costs) },
    all: { text: bytesWords(6 * weights_bytes), how: six(bytes) },
    six: { text: duration(6 * times.one), how: `${six(one)} ${passFrom(1, costs)}` },
    many: { text: duration(times.many), how: passFrom(6, costs) },
  });
}

function passFrom(tokens: number, costs: RecordedCosts) {
  const given = { tokens, file: costs.file, machine: machineWords(costs) };
  return tokens === 1
    ? word("A pass over one token, from {file}. {machine}", given)
    : word("A pass over {tokens} tokens, from {file}. {machine}", given);
}

/** Where the figures come from, and how much slower it is shown. */
export function streamNote(mode: StreamMode, costs: RecordedCosts, times: PassTimes) {
  const slow = Number(slownessOf(mode, times).toPrecision(1));
  return `${machineWords(costs)} ${word("Shown {slow} times slower than it was.", { slow })}`;
}

/** 538 MB, 2.4 GB. */
export function bytesWords(bytes: number) {
  const [size, unit] = bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${fixed(size, size < 99.95 ? 1 : 0)} ${unit}`;
}
