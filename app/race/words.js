// What is said of a lane: pure functions, no DOM.

/** @import { Lane, Looks, Moment, Origin } from "../player/types" */

export const RANKS = ["", "1st", "2nd", "3rd", "4th"];

export const HOW = {
  rate: "New tokens over engine seconds, by now. The engine's clock runs only while it works: neither reading the prompt nor your watching is counted.",
  passes:
    "Passes of the target model so far. Plain decoding needs one for every token, so the saved passes are tokens minus passes.",
  speedup:
    "For the tokens of this lane so far, the ratio of the two times: the plain lane's over this lane's; shown from the third pass on. Below 1 it is slower. Plain decoding was measured on this prompt: the same engine, alone. Reading the prompt is not counted; “with the prompt” counts it on both sides, the draft's own reading included.",
};

/** @param {number} factor */
export function factorWords(factor) {
  return factor <= 1 ? "real time" : `${Number(factor.toPrecision(2))}× slower than real`;
}

/** @param {number} seconds */
export function clockWords(seconds) {
  return `${Math.round(seconds * 1000)} ms`;
}

/**
 * @param {Origin} origin
 * @param {Lane} lane
 * @param {Looks} looks
 */
export function originWords(origin, lane, looks) {
  const pass = `pass ${origin.round + 1}`;
  const look = lane.kind === "plain" ? null : looks[origin.how];
  return look ? `${look.mark} ${look.word} in ${pass}` : `written by the target in ${pass}`;
}

/** @param {number | null} speedup */
export function speedupWords(speedup) {
  if (speedup === null) return "";
  return speedup < 1 ? "slower than plain" : "as fast as plain";
}

/** @param {Moment} now */
export function passesWords(now) {
  if (!now.passes) return "";
  if (!now.finished || now.saved === null) return `${now.passes} target ${now.passes === 1 ? "pass" : "passes"}`;
  if (now.saved > 0) return `saved ${now.saved} of ${now.tokens} target passes`;
  return `no target pass saved: ${now.passes} for ${tokenWords(now.tokens)}`;
}

/**
 * @param {Lane} lane
 * @param {Moment} now
 */
export function trackWords(lane, now) {
  if (now.finished) return `${clockWords(lane.known)}, ${tokenWords(now.tokens)}`;
  return now.awaited ? lane.say : tokenWords(now.tokens);
}

/** @param {number} tokens */
function tokenWords(tokens) {
  return `${tokens} ${tokens === 1 ? "token" : "tokens"}`;
}

/**
 * One sentence for screen readers, when a lane comes to its end.
 * @param {Lane} lane
 * @param {Moment} now
 */
export function finishWords(lane, now) {
  const rank = now.rank ? `, ${RANKS[now.rank]}` : "";
  const ended = lane.state === "stopped" ? "was stopped" : "finished";
  return `${lane.name} (${lane.words}) ${ended}${rank}: ${now.tokens} tokens in ${clockWords(lane.known)}.`;
}
