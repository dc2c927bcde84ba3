// The timer of a lesson: minutes since it was started, without those in which it stood still. Pure but for what the browser keeps.

import { remember, remembered } from "../shared/kept_here.js";
import { word } from "../shared/words.js";

const KEPT = "specviz_lesson_timer";
/** A timer that was left running for longer than this belongs to another lesson. */
const LONGEST_S = 6 * 3600;

/**
 * Seconds that were counted before, and since when it runs, in seconds of the system's clock; null while it stands still.
 * @typedef {{ counted: number, since: number | null }} Timer
 */

/** @type {Timer} */
const STOPPED = { counted: 0, since: null };

/** The timer as this browser kept it. @param {number} now @returns {Timer} */
export function keptTimer(now) {
  try {
    const { counted, since } = JSON.parse(remembered(KEPT) ?? "null") ?? STOPPED;
    const timer = { counted: Number(counted) || 0, since: since === null ? null : Number(since) };
    return secondsOf(timer, now) <= LONGEST_S && secondsOf(timer, now) >= 0 ? timer : STOPPED;
  } catch {
    return STOPPED;
  }
}

/** @param {Timer} timer */
export function keepTimer(timer) {
  remember(KEPT, JSON.stringify(timer));
}

/** @param {Timer} timer @param {number} now */
export function secondsOf({ counted, since }, now) {
  return counted + (since === null ? 0 : now - since);
}

/**
 * Started where it stands still, else halted.
 * @param {Timer} timer
 * @param {number} now
 * @returns {Timer}
 */
export function pressed(timer, now) {
  return { counted: secondsOf(timer, now), since: timer.since === null ? now : null };
}

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * How the lesson stands to its plan, in a word or two; "" where no part is open, or it is in its time.
 * @param {{ begins: number, ends: number } | undefined} part the one that is open.
 * @param {number} seconds
 */
export function lateness(part, seconds) {
  if (!part || seconds === 0) return "";
  const late = Math.floor(seconds / 60) - part.ends + 1;
  const early = part.begins - Math.floor(seconds / 60);
  if (late > 0) return word("{late} min late", { late });
  return early > 0 ? word("{early} min early", { early }) : "";
}
