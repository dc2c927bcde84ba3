// v(n): what a pass over n tokens costs, in passes over one. Pure, no DOM.

import { duration } from "../../shared/labels.ts";
import { fixed, parted, several, word } from "../../shared/words.ts";
import type { CostPicture, CostSource, PassPoint, RecordedCosts, WordPart } from "../lesson_types.ts";

/** The curve bends where one more token costs so much of a pass over one token. */
const BEND = 0.5;
/** The numbers of guests whose curves are drawn together: more would hide one another. */
const GUESTS = [1, 4, 16, 64];

type CostPoint = { tokens: number; pass_s: number; v: number; low: number; high: number; experts?: number };
/** One curve. `guests`: how many texts share the pass, where the picture is about that. */
export type CostCurve = { name: string; guests?: number; points: CostPoint[] };

/** A model of 70 billion parameters in half precision on two graphics cards; bytes and operations a second from the data sheet of an H100 SXM. */
const LARGE = { parameters: 70e9, bytes: 2, cards: 2, bytesPerS: 3.35e12, operationsPerS: 989e12 };
/** The numbers of tokens for which its pass is calculated. */
const LARGE_TOKENS = [1, 2, 4, 6, 8, 16, 32, 64, 128, 256, 512, 1024];

/** A pass reads all weights once, and makes two operations with each of them for every token: it takes as long as the longer of the two. */
function largePass(tokens: number): PassPoint {
  const reading = (LARGE.parameters * LARGE.bytes) / (LARGE.cards * LARGE.bytesPerS);
  const arithmetic = (2 * LARGE.parameters * tokens) / (LARGE.cards * LARGE.operationsPerS);
  return { tokens, pass_s: Math.max(reading, arithmetic) };
}

/** The curves of a picture, and where they were measured. `choices`: how many of them, from the first on, the reader can choose between. */
export function curvesOf(picture: CostPicture, costs: RecordedCosts) {
  const only = (source: CostSource, points: PassPoint[]) => {
    const curves: CostCurve[] = [{ name: "", points: curveOf(points) }];
    return { source, curves, choices: 1 };
  };
  if (picture === "experts") {
    const mixture = only(costs.mixture, costs.mixture.points);
    mixture.curves.push({ name: word("a dense model"), points: curveOf(costs.mixture.dense) });
    return mixture;
  }
  if (picture === "large model") {
    const calculated = word(
      "Calculated, not measured: 70 billion weights of 2 bytes on two graphics cards, each with 3.35 TB and 989 trillion operations a second, as the data sheet of an H100 has it. A pass takes as long as reading or arithmetic, whichever is longer. Real passes take longer.",
    );
    return only({ ...costs, calculated }, LARGE_TOKENS.map(largePass));
  }
  if (picture === "cost") return only(costs, costs.points);
  const curves = GUESTS.map((guests): CostCurve => {
    const passes = costs.guests.filter((pass) => pass.guests === guests).sort((a, b) => a.tokens - b.tokens);
    return { name: several(guests, "{n} [guest|guests]"), guests, points: curveOf(passes) };
  });
  return { source: costs as CostSource, curves, choices: curves.length };
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

/** Index of the measured point nearest to so many tokens, in doublings. */
export function nearestPoint(curve: CostPoint[], tokens: number) {
  const far = curve.map((point) => Math.abs(Math.log(point.tokens / tokens)));
  return far.indexOf(Math.min(...far));
}

/** Where the figures come from: the machine, the model, its number format, the processor and the day; or the formula. */
export function machineWords({ recorded, calculated, ...measured }: CostSource) {
  if (calculated) return calculated;
  const { target, dtype, processor, device, measured_at: time } = measured;
  const names = [target, dtype, processor || device, time].filter(Boolean).join(", ");
  return word("Measured on {machine}: {names}.", { machine: word(recorded), names });
}

/** How a figure was measured, for those who point at it. */
function howWords(detail: string, source: CostSource) {
  if (source.calculated) return source.calculated;
  const before = several(source.context, "Each text had {n} [token|tokens] before the pass.");
  return `${detail} ${machineWords(source)} ${before}`;
}

/** How a pass was measured: a median. */
export function pointHow({ tokens }: CostPoint, source: CostSource) {
  const pass = several(tokens, "over [one token|{n} tokens]");
  return howWords(word("The median of several passes {pass}.", { pass }), source);
}

/** One pass over n tokens against n passes over one; for several guests the pass over one token for each. */
export function costParts(source: CostSource, { points, guests }: CostCurve, index: number): WordPart[] {
  const [first, point] = [points[0], points[index]];
  const { tokens, v } = point;
  const one = { text: duration(first.pass_s), how: pointHow(first, source) };
  const time = { text: duration(point.pass_s), how: pointHow(point, source) };
  const divided = word("{many} divided by {one}, both measured.", { many: time.text, one: one.text });
  const ratio = { text: `v(${tokens}) = ${fixed(v, 2)}`, how: howWords(divided, source) };
  if (guests) {
    const sentence = several(
      guests,
      "{n} [guest|guests]: one pass over {tokens} tokens [|for each ]takes {time}, over one [token|for each] {one}. {ratio}.",
      { tokens },
    );
    const alone = several(guests, "{n} [guest|guests]: one pass over one token [|for each ]takes {one}.");
    return parted(tokens === 1 ? alone : sentence, { time, one, ratio });
  }
  const experts = expertsWords(point, source);
  if (tokens === 1) {
    const sentence = word("One pass over one token: {one}. All others are compared with it: v(1) = 1.");
    return [...parted(sentence, { one }), experts];
  }
  const times = word("Calculated: {tokens} times the measured {one}.", { tokens, one: one.text });
  const many = { text: duration(tokens * first.pass_s), how: howWords(times, source) };
  const sentence = word("One pass over {tokens} tokens: {time}. {Count} passes over one token: {many}. {ratio}.", {
    tokens,
    Count: tokens,
  });
  return [...parted(sentence, { time, many, ratio }), experts];
}

/** How many experts the pass reads, where the model is a mixture of them. */
function expertsWords({ experts: woken }: CostPoint, { experts }: CostSource) {
  if (!experts || !woken) return "";
  const given = { woken: fixed(woken, Number.isInteger(Number(woken.toFixed(1))) ? 0 : 1), experts };
  return ` ${word("It reads {woken} of the {experts} experts of every layer.", given)}`;
}

/** Where the curve bends, in a sentence. */
export function bendWords(curve: CostPoint[]) {
  const bend = bendOf(curve);
  if (bend === null)
    return word("No bend up to {most} tokens: on average, one more token costs less than half of a one-token pass.", {
      most: curve[curve.length - 1].tokens,
    });
  if (bend === 1)
    return word("It rises from the first token on: one more token costs more than half of a one-token pass.");
  return word(
    "It bends at about {bend} tokens: from there on, one more token costs more than half of a one-token pass.",
    { bend },
  );
}
