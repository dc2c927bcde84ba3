// A measurement as it arrives, checked: what cannot be drawn is left out, or refused with a sentence. Pure, no DOM.

/** @import { MeasuredKind, MeasuredResult } from "../types" */

/** @type {MeasuredKind[]} */
export const MEASURED_KINDS = ["bandwidth", "pass cost", "batch cost"];

const BROKEN = "This measurement cannot be shown, since numbers of it are missing. Measure again.";
const LONGEST_WORD = 80;
const WORDS_OF = ["recorded", "target", "draft", "device", "dtype", "measured_at", "processor", "decoder", "why"];
const COUNTS_OF = ["threads", "passes", "left_out", "context", "repeated_bytes_per_s"];

/** Every figure that a measurement of a kind must have. @type {Record<MeasuredKind, string[]>} */
const MEASURED_FIGURES = {
  bandwidth: ["weights_bytes", "pass_s", "reading_bytes_per_s", "operations_per_s"],
  "pass cost": [],
  "batch cost": [],
};

/** Every figure that each of its points must have. @type {Record<MeasuredKind, string[]>} */
const POINT_FIGURES = {
  bandwidth: ["tokens", "pass_s", "operations", "bytes"],
  "pass cost": ["tokens", "pass_s"],
  "batch cost": ["guests", "tokens", "pass_s"],
};

/**
 * Which picture is to be shown.
 * @param {any} result
 * @param {string | undefined} asked
 * @returns {MeasuredKind}
 */
export function measuredKindOf(result, asked) {
  return [result?.kind, asked].find((name) => MEASURED_KINDS.includes(name)) ?? "bandwidth";
}

/**
 * The measurement with its points sorted by guests and tokens; null, with a sentence, where it cannot be shown.
 * @param {any} result
 * @returns {{ result: MeasuredResult | null, problem: string }}
 */
export function readMeasured(result) {
  if (result === null || result === undefined) return { result: null, problem: "" };
  const kind = MEASURED_KINDS.find((name) => name === result.kind);
  if (!kind || !MEASURED_FIGURES[kind].every((name) => isPositive(result[name])))
    return { result: null, problem: BROKEN };
  const points = listOf(result.points)
    .filter((point) => POINT_FIGURES[kind].every((name) => isPositive(point?.[name])))
    .map((point) => withSpread(point))
    .sort((one, other) => (one.guests ?? 1) - (other.guests ?? 1) || one.tokens - other.tokens);
  const { weights_bytes: bytes, pass_s, operations } = result;
  if (kind === "bandwidth" && points[0]?.tokens !== 1 && isPositive(operations))
    points.unshift({ tokens: 1, pass_s, operations, bytes });
  if (points[0]?.tokens !== 1) return { result: null, problem: BROKEN }; // nothing to compare the others with
  const read = {
    ...result,
    points,
    draft_pass_s: listOf(result.draft_pass_s).filter((pass) => isPositive(pass?.guests) && isPositive(pass?.pass_s)),
    disturbed: Boolean(result.disturbed),
  };
  for (const name of WORDS_OF) read[name] = shortWord(result[name]);
  for (const name of COUNTS_OF) read[name] = isPositive(result[name]) ? result[name] : 0;
  return { result: read, problem: "" };
}

/** @param {unknown} value */
function isPositive(value) {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

/** @param {unknown} value @returns {any[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {any} point */
function withSpread(point) {
  const { pass_s, low_s, high_s } = point;
  return {
    ...point,
    low_s: isPositive(low_s) ? Math.min(low_s, pass_s) : pass_s,
    high_s: isPositive(high_s) ? Math.max(high_s, pass_s) : pass_s,
  };
}

/** @param {unknown} value */
function shortWord(value) {
  const letters = typeof value === "string" ? [...value] : [];
  return letters.length > LONGEST_WORD ? `${letters.slice(0, LONGEST_WORD - 1).join("")}…` : letters.join("");
}
