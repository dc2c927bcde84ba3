// The sentence under a step that can be measured, with its remark and its time, in the lesson's language. Pure, no DOM.

/** @import { MeasuredPoint, Measurement } from "../types" */

import { filledIn } from "../../shared/words.js";

/**
 * A piece of a sentence: plain words, or a figure with how it is known.
 * @typedef {{ text: string, how?: string }} Piece
 */

/** So many tokens stand for a short draft and the token before it. */
const SENTENCE_TOKENS = { "pass cost": 6, "batch cost": 5 };
/** @type {[number, string][]} */
const SECOND_UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]; // biome-ignore format: a table
/** @type {[number, string][]} */
const BYTE_UNITS = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]; // biome-ignore format: a table
const MINUTE = 60;
const HOUR = 3600;

/**
 * The sentence; only a warning where the figures cannot be trusted.
 * @param {Measurement} result
 * @param {Record<string, string>} words
 * @param {string} language
 * @returns {Piece[]}
 */
export function sentenceOf(result, words, language) {
  if (result.disturbed) return [{ text: `⚠ ${words.measured_disturbed}` }];
  const figures = SENTENCE_FIGURES[result.kind](result, words, language);
  if (!figures) return [{ text: words.measured_too_little }];
  const template = words[`measured_${result.kind.replace(" ", "_")}`];
  return template.split(/\{(\w+)\}/).map((text, index) => (index % 2 ? (figures[text] ?? { text }) : { text }));
}

/**
 * What the sentence alone would hide; empty where there is nothing.
 * @param {Measurement} result
 * @param {Record<string, string>} words
 */
export function remarkOf(result, words) {
  return result.left_out ? filledIn(words.measured_left_out, { count: result.left_out }) : "";
}

/**
 * When and with what it was measured.
 * @param {Measurement} result
 * @param {number} age seconds
 * @param {Record<string, string>} words
 */
export function whenOf(result, age, words) {
  const name = age < 1.5 * MINUTE ? "measured_now" : age < 1.5 * HOUR ? "measured_minutes" : "measured_hours";
  const count = Math.round(age / (name === "measured_hours" ? HOUR : MINUTE));
  return filledIn(words[name], { count, model: result.target });
}

/** @type {Record<string, (result: any, words: Record<string, string>, language: string) => Record<string, Piece> | null>} */
const SENTENCE_FIGURES = {
  bandwidth: bandwidthFigures,
  "pass cost": passFigures,
  "batch cost": batchFigures,
};

/** @param {Measurement} result @param {Record<string, string>} words @param {string} language */
function bandwidthFigures(result, words, language) {
  const { points, weights_bytes, reading_bytes_per_s = 0, operations_per_s = 0 } = result;
  const one = points.find(({ tokens }) => tokens === 1);
  if (!one || !operations_per_s) return null;
  const reading = [words.how_reading, result.weights_in_cache ? words.measured_in_cache : ""].filter(Boolean).join(" ");
  const share = one.operations / one.pass_s / operations_per_s;
  return {
    bytes: { text: scaledIn(weights_bytes, BYTE_UNITS, language), how: words.how_bytes },
    pass: timePiece(one, result, words, language),
    reading: { text: `${scaledIn(reading_bytes_per_s, BYTE_UNITS, language)}/s`, how: reading },
    share: { text: `${numberIn(100 * share, language, 2)} %`, how: words.how_share },
  };
}

/** @param {Measurement} result @param {Record<string, string>} words @param {string} language */
function passFigures(result, words, language) {
  const [one, many] = twoOf(result.points, 1, SENTENCE_TOKENS["pass cost"]);
  if (!one || !many) return null;
  return {
    pass: timePiece(one, result, words, language),
    many: timePiece(many, result, words, language),
    tokens: { text: String(many.tokens) },
    times: ratioPiece(many, one, words, language),
  };
}

/** @param {Measurement} result @param {Record<string, string>} words @param {string} language */
function batchFigures(result, words, language) {
  const guests = [...new Set(result.points.map((point) => point.guests))].reverse();
  const [first, firstMany] = twoOf(result.points, 1, SENTENCE_TOKENS["batch cost"]);
  if (!first || !firstMany) return null;
  for (const count of guests) {
    const [one, many] = twoOf(result.points, count, SENTENCE_TOKENS["batch cost"]);
    if (count > 1 && one && many?.tokens === firstMany.tokens)
      return {
        tokens: { text: String(many.tokens) },
        alone: ratioPiece(firstMany, first, words, language),
        guests: { text: String(count) },
        together: ratioPiece(many, one, words, language),
      };
  }
  return null;
}

/**
 * The passes of so many texts over one token, and over as many as are wanted or the most below.
 * @param {MeasuredPoint[]} points
 * @param {number} guests
 * @param {number} tokens
 */
function twoOf(points, guests, tokens) {
  const these = points.filter((point) => point.guests === guests && point.tokens <= tokens);
  const one = these.find((point) => point.tokens === 1);
  const most = these.filter((point) => point.tokens > 1).sort((a, b) => b.tokens - a.tokens)[0];
  return [one, most];
}

/**
 * @param {MeasuredPoint} point
 * @param {Measurement} result
 * @param {Record<string, string>} words
 * @param {string} language
 * @returns {Piece}
 */
function timePiece(point, { passes, processor, dtype, threads, context }, words, language) {
  const [low, high] = [point.low_s, point.high_s].map((seconds) => scaledIn(seconds, SECOND_UNITS, language));
  const how = filledIn(words.how_pass, { passes, low, high, processor, dtype, threads, context });
  return { text: scaledIn(point.pass_s, SECOND_UNITS, language), how };
}

/**
 * @param {MeasuredPoint} many
 * @param {MeasuredPoint} one
 * @param {Record<string, string>} words
 * @param {string} language
 * @returns {Piece}
 */
function ratioPiece(many, one, words, language) {
  const [over, under] = [many, one].map(({ pass_s }) => scaledIn(pass_s, SECOND_UNITS, language));
  return {
    text: `${(many.pass_s / one.pass_s).toLocaleString(language, { maximumFractionDigits: 2 })}×`,
    how: filledIn(words.how_ratio, { over, under }),
  };
}

/**
 * A number with its unit, the largest in which it is 1 or more.
 * @param {number} value
 * @param {[number, string][]} units
 * @param {string} language
 */
function scaledIn(value, units, language) {
  const [size, unit] = units.find(([each]) => value >= each) ?? units[units.length - 1];
  return `${numberIn(value / size, language, 3)} ${unit}`;
}

/** @param {number} value @param {string} language @param {number} digits */
function numberIn(value, language, digits) {
  return value.toLocaleString(language, { maximumSignificantDigits: digits });
}
