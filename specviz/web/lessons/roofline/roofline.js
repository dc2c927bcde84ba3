// The roofline: how fast a pass could compute at most, by how many operations it does with each byte that it reads. Pure, no DOM.

/** @import { BandwidthPoint, BandwidthResult } from "../types" */
/** @import { Span } from "../common/scales.js" */

/** A dot is above the roof only if it is by more than this factor: both are measured. */
const ABOVE = 1.01;
/** A cache is on the picture only if it is faster than the memory by so much. */
const FASTER = 1.15;

/**
 * One pass on the picture. `arithmetic` and `reading` are its shares of what the machine was measured to compute and to read in a second.
 * @typedef {{ tokens: number, pass_s: number, intensity: number, rate: number, arithmetic: number, reading: number }} RoofDot
 */

/**
 * Everything that the picture shows. Left of the ridge the memory limits a pass, right of it the arithmetic. `cache` are the bytes that a
 * cache gives in a second, where a dot needs it to be explained.
 * @typedef {{ ridge: number, dots: RoofDot[], one: RoofDot, cache: number | null, x: Span, y: Span }} Roofline
 */

/** @param {BandwidthPoint} point @param {BandwidthResult} result @returns {RoofDot} */
function dotOf({ tokens, pass_s, operations, bytes }, { reading_bytes_per_s, operations_per_s }) {
  const rate = operations / pass_s;
  return {
    tokens,
    pass_s,
    intensity: operations / bytes,
    rate,
    arithmetic: rate / operations_per_s,
    reading: bytes / pass_s / reading_bytes_per_s,
  };
}

/**
 * The most operations in a second with so many operations for each byte.
 * @param {number} intensity
 * @param {Pick<BandwidthResult, "reading_bytes_per_s" | "operations_per_s">} result
 */
export function roofAt(intensity, { reading_bytes_per_s, operations_per_s }) {
  return Math.min(intensity * reading_bytes_per_s, operations_per_s);
}

/**
 * The dots and the scales. The first of the result's points is the pass over one token.
 * @param {BandwidthResult} result
 * @returns {Roofline}
 */
export function rooflineOf(result) {
  const dots = result.points.map((point) => dotOf(point, result));
  const ridge = result.operations_per_s / result.reading_bytes_per_s;
  const across = [...dots.map((dot) => dot.intensity), ridge];
  const start = Math.min(...across) / 3;
  const low = Math.min(...dots.map((dot) => dot.rate), roofAt(start, result));
  const high = Math.max(...dots.map((dot) => dot.rate), result.operations_per_s);
  const { repeated_bytes_per_s: repeated = 0, reading_bytes_per_s: reading } = result;
  const cache = repeated > FASTER * reading && dotsAbove(dots).memory.length ? repeated : null;
  return { ridge, dots, one: dots[0], cache, x: [start, Math.max(...across) * 3], y: [low / 3, high * 2.5] };
}

/**
 * The dots that lie above the roof: those that got their bytes faster than the memory was measured to deliver them, which a cache
 * makes possible, and those that computed faster than the test of the arithmetic.
 * @param {RoofDot[]} dots
 */
export function dotsAbove(dots) {
  return {
    memory: dots.filter((dot) => dot.reading > ABOVE && dot.arithmetic <= ABOVE),
    arithmetic: dots.filter((dot) => dot.arithmetic > ABOVE),
  };
}
