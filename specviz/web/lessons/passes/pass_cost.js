// v(n): what a pass over n tokens costs, in passes over one. Pure, no DOM.

/** @import { PassCostResult, PassPoint } from "../types" */
/** @import { Span } from "../common/scales.js" */

import { fixed, word } from "../../shared/words.js";

/** The curve bends where one more token costs so much of a pass over one token. */
const BEND = 0.5;

/** @typedef {{ tokens: number, pass_s: number, v: number, low: number, high: number }} CostPoint */

/**
 * The curve with its spread; the first point is the pass over one token.
 * @param {PassPoint[]} points
 * @returns {CostPoint[]}
 */
export function curveOf(points) {
  const one = points[0].pass_s;
  return points.map(({ tokens, pass_s, low_s, high_s }) => ({
    tokens,
    pass_s,
    v: pass_s / one,
    low: low_s / one,
    high: high_s / one,
  }));
}

/**
 * How much one more token costs between two points of the curve, in passes over one token.
 * @param {CostPoint} from
 * @param {CostPoint} to
 */
function slopeBetween(from, to) {
  return (to.v - from.v) / (to.tokens - from.tokens);
}

/**
 * The number of tokens after which one more costs half of a one-token pass, to the next measured point and on average to the last
 * one: a single slow measurement bends nothing. Null where the curve does not bend.
 * @param {CostPoint[]} curve
 */
export function bendOf(curve) {
  const last = curve[curve.length - 1];
  const found = curve
    .slice(0, -1)
    .find((point, i) => slopeBetween(point, curve[i + 1]) >= BEND && slopeBetween(point, last) >= BEND);
  return found?.tokens ?? null;
}

/**
 * The scales of the picture, both in doublings: all of the curve, and both lines to the last measured number of tokens.
 * @param {CostPoint[]} curve
 * @returns {{ x: Span, y: Span }}
 */
export function spansOf(curve) {
  const most = Math.max(2, curve[curve.length - 1].tokens);
  const high = Math.max(most, ...curve.map((point) => point.high));
  const low = Math.min(1, ...curve.map((point) => point.low));
  return { x: [0.9, most * 1.05], y: [low * 0.4, high * 1.15] };
}

/** The doublings of 1 on a scale. @param {Span} span */
export function doublingsOf([from, to]) {
  const all = Array.from({ length: 32 }, (_, i) => 2 ** i);
  return all.filter((tick) => tick >= from && tick <= to);
}

/**
 * Index of the measured point nearest to so many tokens, in doublings.
 * @param {CostPoint[]} curve
 * @param {number} tokens
 */
export function nearestPoint(curve, tokens) {
  const far = curve.map((point) => Math.abs(Math.log(point.tokens / tokens)));
  return far.indexOf(Math.min(...far));
}

/**
 * How many experts the pass reads, where the model is a mixture of them.
 * @param {PassCostResult} result
 * @param {number} index
 */
export function expertsWords({ points, experts }, index) {
  const woken = points[index].experts;
  return experts && woken
    ? ` ${word("It reads {woken} of the {experts} experts of every layer.", { woken: fixed(Number(woken.toFixed(1)), Number(woken.toFixed(1)) % 1 ? 1 : 0), experts })}`
    : "";
}
