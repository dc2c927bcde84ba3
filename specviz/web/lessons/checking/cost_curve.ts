// v(n): what a pass over n tokens costs, in passes over one. Pure, no DOM.

import { several, word } from "../../shared/words.ts";
import type { CostPicture, CostSource, PassPoint, RecordedCosts } from "../lesson_types.ts";

/** The curve bends where one more token costs so much of a pass over one token. */
const BEND = 0.5;
/** The numbers of guests whose curves are drawn together: more would hide one another. */
const GUESTS = [1, 4, 16, 64];

/** What a scale covers. */
type Span = [from: number, to: number];
export type CostPoint = { tokens: number; pass_s: number; v: number; low: number; high: number; experts?: number };
/** One curve. `guests`: how many texts share the pass, where the picture is about that. */
export type CostCurve = { name: string; guests?: number; points: CostPoint[] };

/** A model of 70 billion parameters in half precision on two graphics cards; bytes and operations a second from the data sheet of an H100 SXM. */
const LARGE = { parameters: 70e9, bytes: 2, cards: 2, bytesPerS: 3.35e12, operationsPerS: 989e12 };
/** The numbers of tokens for which its pass is calculated. */
const LARGE_TOKENS = [1, 2, 4, 6, 8, 16, 32, 64, 128, 256, 512, 1024];

/** A pass reads all weights once, and makes two operations with each of them for every token: it takes as long as the longer of the two. */
export function largePass(tokens: number): PassPoint {
  const reading = (LARGE.parameters * LARGE.bytes) / (LARGE.cards * LARGE.bytesPerS);
  const arithmetic = (2 * LARGE.parameters * tokens) / (LARGE.cards * LARGE.operationsPerS);
  return { tokens, pass_s: Math.max(reading, arithmetic) };
}

/** The curves of a picture, and where they were measured. `choices`: how many of them, from the first on, the reader can choose between. */
export function curvesOf(
  picture: CostPicture,
  costs: RecordedCosts,
): { source: CostSource & { experts?: number }; curves: CostCurve[]; choices: number } {
  if (picture === "experts") {
    const { mixture } = costs;
    const dense = { name: word("a dense model"), points: curveOf(mixture.dense) };
    return { source: mixture, curves: [{ name: "", points: curveOf(mixture.points) }, dense], choices: 1 };
  }
  if (picture === "large model") {
    const calculated = word(
      "Calculated, not measured: 70 billion weights of 2 bytes on two graphics cards, each with 3.35 TB and 989 trillion operations a second, as the data sheet of an H100 has it. A pass takes as long as reading or arithmetic, whichever is longer. Real passes take longer.",
    );
    return {
      source: { ...costs, calculated },
      curves: [{ name: "", points: curveOf(LARGE_TOKENS.map(largePass)) }],
      choices: 1,
    };
  }
  if (picture === "cost") return { source: costs, curves: [{ name: "", points: curveOf(costs.points) }], choices: 1 };
  const curves = GUESTS.map((guests) => {
    const passes = costs.guests
      .filter((pass) => pass.guests === guests)
      .sort((one, other) => one.tokens - other.tokens);
    return { name: several(guests, "{n} [guest|guests]"), guests, points: curveOf(passes) };
  });
  return { source: costs, curves, choices: curves.length };
}

/** The curve with its spread; the first point is the pass over one token. */
export function curveOf(points: PassPoint[]): CostPoint[] {
  const one = points[0].pass_s;
  return points.map(({ tokens, pass_s, low_s = pass_s, high_s = pass_s, experts }) => ({
    tokens,
    pass_s,
    v: pass_s / one,
    low: low_s / one,
    high: high_s / one,
    experts,
  }));
}

/** How much one more token costs between two points of the curve, in passes over one token. */
function slopeBetween(from: CostPoint, to: CostPoint) {
  return (to.v - from.v) / (to.tokens - from.tokens);
}

/**
 * The number of tokens after which one more costs half of a one-token pass, to the next measured point and on average to the last
 * one: a single slow measurement bends nothing. Null where the curve does not bend.
 */
export function bendOf(curve: CostPoint[]) {
  const last = curve[curve.length - 1];
  const found = curve
    .slice(0, -1)
    .find((point, i) => slopeBetween(point, curve[i + 1]) >= BEND && slopeBetween(point, last) >= BEND);
  return found?.tokens ?? null;
}

/** The scales of the picture, both in doublings: all of the curves, and both lines to the last measured number of tokens. */
export function spansOf(curves: CostCurve[]): { x: Span; y: Span } {
  const all = curves.flatMap(({ points }) => points);
  const most = Math.max(2, ...all.map(({ tokens }) => tokens));
  const high = Math.max(most, ...all.map((point) => point.high));
  const low = Math.min(1, ...all.map((point) => point.low));
  return { x: [0.9, most * 1.05], y: [low * 0.4, high * 1.15] };
}

/** The doublings of 1 on a scale. */
export function doublingsOf([from, to]: Span) {
  const all = Array.from({ length: 32 }, (_, i) => 2 ** i);
  return all.filter((tick) => tick >= from && tick <= to);
}

/** Index of the measured point nearest to so many tokens, in doublings. */
export function nearestPoint(curve: CostPoint[], tokens: number) {
  const far = curve.map((point) => Math.abs(Math.log(point.tokens / tokens)));
  return far.indexOf(Math.min(...far));
}
