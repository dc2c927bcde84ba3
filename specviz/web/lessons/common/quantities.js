// Measured quantities as people read them. Pure, no DOM.

import { fixed, language, word } from "../../shared/words.js";

const UNITS = ["", "k", "M", "G", "T", "P"];
const SPELLED = ["", " thousand", " million", " billion", " trillion", " quadrillion"];
const SMALL_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A length of time with three digits or so: 9.1 ms, 120 ms, 1.24 s. @param {number} seconds */
export function timeWords(seconds) {
  if (seconds >= 0.9995) return `${fixed(seconds, 2)} s`;
  const ms = seconds * 1000;
  if (ms >= 99.95) return `${fixed(ms, 0)} ms`;
  if (ms >= 0.995) return `${fixed(ms, 1)} ms`;
  return ms >= 0.00995 ? `${fixed(ms, 2)} ms` : `${fixed(ms * 1000, 1)} µs`;
}

/**
 * A large number cut to thousands, millions and so on, so that it has at most three digits before the point.
 * @param {number} value
 */
function cutDown(value) {
  const steps = Math.floor(Math.log10(Math.max(1, value)) / 3 + 1e-9);
  const step = Math.min(UNITS.length - 1, steps);
  const number = value / 1000 ** step;
  return { number, step };
}

/** @param {number} number */
function threeDigits(number) {
  const shown = Number(number.toPrecision(3));
  return fixed(shown, String(shown).split(".")[1]?.length ?? 0);
}

/** 538 MB, 2.4 GB. @param {number} bytes */
export function bytesWords(bytes) {
  const { number, step } = cutDown(bytes);
  return `${threeDigits(number)} ${UNITS[step]}B`;
}

/** 310 billion. @param {number} value */
export function spelledWords(value) {
  const { number, step } = cutDown(value);
  return threeDigits(number) + SPELLED[step];
}

/** A number on a scale: 200 M, 10 G, 0.5. @param {number} value */
export function scaleWords(value) {
  const { number, step } = cutDown(value);
  return `${threeDigits(number)} ${UNITS[step]}`.trim();
}

/** A share in percent. @param {number} share */
export function shareWords(share) {
  const percent = share * 100;
  if (percent < 0.1) return word("less than 0.1%");
  return word("{share}%", { share: fixed(percent, percent < 9.95 ? 1 : 0) });
}

/** A cost in plain passes, short: 1.3, 12. @param {number} cost */
export function costWords(cost) {
  return cost < 9.95 ? fixed(cost, 1) : fixed(cost, 0);
}

/** A count as a word where it is small: six. @param {number} count */
export function countWords(count) {
  const small = SMALL_COUNTS[count];
  if (small && language() === "en") return small;
  return count.toLocaleString(language());
}

/**
 * 1 token, 2 tokens.
 * @param {number} count
 * @param {string} noun
 */
export function amount(count, noun, many = `${noun}s`) {
  return `${count.toLocaleString(language())} ${count === 1 ? noun : many}`;
}
