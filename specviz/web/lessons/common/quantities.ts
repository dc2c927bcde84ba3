// Measured quantities as people read them. Pure, no DOM.

import { fixed, language } from "../../shared/words.ts";

const UNITS = ["", "k", "M", "G", "T", "P"];
const SMALL_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** A length of time with three digits or so: 9.1 ms, 120 ms, 1.24 s. */
export function timeWords(seconds: number) {
  if (seconds >= 0.9995) return `${fixed(seconds, 2)} s`;
  const ms = seconds * 1000;
  if (ms >= 99.95) return `${fixed(ms, 0)} ms`;
  if (ms >= 0.995) return `${fixed(ms, 1)} ms`;
  return ms >= 0.00995 ? `${fixed(ms, 2)} ms` : `${fixed(ms * 1000, 1)} µs`;
}

function threeDigits(number: number) {
  const shown = Number(number.toPrecision(3));
  return fixed(shown, String(shown).split(".")[1]?.length ?? 0);
}

/** 538 MB, 2.4 GB. */
export function bytesWords(bytes: number) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3 + 1e-9));
  return `${threeDigits(bytes / 1000 ** step)} ${UNITS[step]}B`;
}

/** A count as a word where it is small: six. */
export function countWords(count: number) {
  const small = SMALL_COUNTS[count];
  if (small && language() === "en") return small;
  return count.toLocaleString(language());
}
