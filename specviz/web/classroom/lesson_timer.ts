// The timer of a lesson: minutes since it was started, without those in which it stood still. Pure but for what the browser keeps.

import { remember, remembered } from "../shared/browser_storage.ts";
import { word } from "../shared/words.ts";

const KEPT = "specviz_lesson_timer";
/** A timer that was left running for longer than this belongs to another lesson. */
const LONGEST_S = 6 * 3600;

/** Seconds that were counted before, and since when it runs, in seconds of the system's clock; null while it stands still. */
export type Timer = { counted: number; since: number | null };

const STOPPED: Timer = { counted: 0, since: null };

/** The timer as this browser kept it. */
export function keptTimer(now: number): Timer {
  try {
    const { counted, since } = JSON.parse(remembered(KEPT) ?? "null") ?? STOPPED;
    const timer = { counted: Number(counted) || 0, since: since === null ? null : Number(since) };
    return secondsOf(timer, now) <= LONGEST_S && secondsOf(timer, now) >= 0 ? timer : STOPPED;
  } catch {
    return STOPPED;
  }
}

export function keepTimer(timer: Timer) {
  remember(KEPT, JSON.stringify(timer));
}

export function secondsOf({ counted, since }: Timer, now: number) {
  return counted + (since === null ? 0 : now - since);
}

/** Started where it stands still, else halted. */
export function pressed(timer: Timer, now: number): Timer {
  return { counted: secondsOf(timer, now), since: timer.since === null ? now : null };
}

export function clockText(seconds: number) {
  const whole = Math.floor(Math.max(0, seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * How the lesson stands to its plan, in a word or two; "" where no part is open, or it is in its time.
 * @param part the one that is open.
 */
export function lateness(part: { begins: number; ends: number } | undefined, seconds: number) {
  if (!part || seconds === 0) return "";
  const late = Math.floor(seconds / 60) - part.ends + 1;
  const early = part.begins - Math.floor(seconds / 60);
  if (late > 0) return word("{late} min late", { late });
  return early > 0 ? word("{early} min early", { early }) : "";
}
