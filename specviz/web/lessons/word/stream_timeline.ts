// What is to be seen of passes that read weights, at a moment of the viewer's clock. Pure, no DOM.

import type { StreamMode } from "../lesson_types.ts";

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
export function slownessOf(mode: StreamMode, { one }: PassTimes) {
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
  const joined = eased(Math.min(1, clock / MORPH_S));
  const elapsed = ended ? times.many : Math.max(0, (clock - MORPH_S) / slow);
  const share = joined < 1 ? 1 - joined : elapsed / times.many;
  const blocks = apart.map(({ from, to }) => ({
    from: from * (1 - joined),
    to: to + (times.many - to) * joined,
  }));
  return {
    joined,
    shares: rows.map(() => share),
    blocks,
    elapsed,
    readings: joined < 1 ? 0 : elapsed / times.many,
    ended,
  };
}

function eased(share: number) {
  return share * share * (3 - 2 * share);
}
