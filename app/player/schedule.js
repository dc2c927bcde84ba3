// The viewer's schedule: which second of the viewer's clock shows which round and phase. Pure, no DOM, no time of its own.
// Seconds of the engine are the recorded ones.

/** @import { PaceName, Phase, Plan, Round, Run } from "./types" */

import { hasRejection } from "./round.js";

/** @type {Phase[]} */
export const PHASES = ["draft", "verify", "judge", "commit"];

/** The shares of a round's time that its phases take at a pace for teaching, and in a round without drafts. */
const TEACHING = { draft: 0.34, verify: 0.22, judge: 0.22, commit: 0.22 };
const WITHOUT_DRAFTS = { draft: 0, verify: 0.5, judge: 0, commit: 0.5 };

/** So little before a moment that it is still what was shown until then. */
export const HAIR = 1e-6;

/**
 * Viewer's seconds of one round; null for as long as the engine took.
 * @type {Record<PaceName, { word: string, round: number | null, byHand?: boolean }>}
 */
export const PACES = {
  slow: { word: "Slow", round: 3.2 },
  lesson: { word: "Lesson", round: 1.6 },
  quick: { word: "Quick", round: 0.7 },
  real: { word: "Real time", round: null },
  hand: { word: "Key by key", round: 1.6, byHand: true },
};

/**
 * How long the engine took for a round; never zero, so that it can divide.
 * @param {Round} round
 */
function secondsOf(round) {
  return Math.max(round.ended_s - round.began_s, HAIR);
}

/**
 * Viewer's seconds of each round: slow at first, faster once the idea is clear.
 * @param {Pick<Run, "rounds">} run
 * @param {PaceName} pace
 * @returns {Plan}
 */
export function schedule(run, pace) {
  const base = PACES[pace].round;
  /** @type {number[]} */
  const starts = [];
  let at = 0;
  run.rounds.forEach((round, index) => {
    starts.push(at);
    const hurry = index < 3 ? 1 : index < 6 ? 0.72 : 0.5;
    at += base === null ? secondsOf(round) : base * hurry;
  });
  return { starts, end: at, pace };
}

/**
 * The shares of a round's viewer time that its four phases take.
 * @param {Round} round
 * @param {PaceName} pace
 * @returns {Record<Phase, number>}
 */
export function shares(round, pace) {
  if (PACES[pace].round !== null) return round.drafted.length ? TEACHING : WITHOUT_DRAFTS;
  const total = secondsOf(round);
  const rest = Math.max(0, total - round.draft_s - round.verify_s) / total;
  return { draft: round.draft_s / total, verify: round.verify_s / total, judge: rest / 2, commit: rest / 2 };
}

/**
 * The round that is shown at a moment of the clock.
 * @param {Plan} plan
 * @param {number} clock
 */
export function roundAt(plan, clock) {
  return Math.max(
    0,
    plan.starts.findLastIndex((start) => start <= clock),
  );
}

/**
 * When the next round starts, or the last one ends.
 * @param {Plan} plan
 * @param {number} index
 */
export function endOf(plan, index) {
  return index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end;
}

/**
 * Viewer's seconds of a round.
 * @param {Plan} plan
 * @param {number} index
 */
export function lengthOf(plan, index) {
  return endOf(plan, index) - plan.starts[index];
}

/**
 * When a phase of a round starts.
 * @param {Pick<Run, "rounds">} run
 * @param {Plan} plan
 * @param {number} index
 * @param {Phase} phase
 */
export function clockOf(run, plan, index, phase) {
  const share = shares(run.rounds[index], plan.pace);
  const before = PHASES.slice(0, PHASES.indexOf(phase)).reduce((sum, name) => sum + share[name], 0);
  return plan.starts[index] + before * lengthOf(plan, index);
}

/**
 * The end of every phase of a round that takes time: a hair before the next one starts.
 * @param {Pick<Run, "rounds">} run
 * @param {Plan} plan
 * @param {number} index
 */
function phaseEnds(run, plan, index) {
  const share = shares(run.rounds[index], plan.pace);
  const lasting = PHASES.filter((name) => share[name] > 0);
  const starts = lasting.slice(1).map((name) => clockOf(run, plan, index, name));
  const end = index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end + HAIR;
  return [...starts, end].map((at) => at - HAIR);
}

/**
 * One phase on (by = 1) or back (by = -1): the end of that phase.
 * @param {Pick<Run, "rounds">} run
 * @param {Plan} plan
 * @param {number} clock
 * @param {number} by
 */
export function phaseStep(run, plan, clock, by) {
  if (!run.rounds.length) return 0;
  const index = roundAt(plan, Math.min(clock, plan.end));
  const near = [index - 1, index, index + 1].filter((i) => i >= 0 && i < run.rounds.length);
  const stops = [0, ...near.flatMap((i) => phaseEnds(run, plan, i))];
  if (by > 0) return stops.find((at) => at > clock + HAIR / 2) ?? plan.end;
  return stops.findLast((at) => at < clock - HAIR / 2) ?? 0;
}

/**
 * The nearest round after this one (by = 1) or before it (by = -1) in which a draft was rejected; -1 where there is none.
 * @param {Pick<Run, "rounds">} run
 * @param {number} index
 * @param {number} by
 */
export function nextRejection(run, index, by) {
  for (let i = index + by; i >= 0 && i < run.rounds.length; i += by) {
    if (hasRejection(run.rounds[i])) return i;
  }
  return -1;
}

/**
 * The same moment of the run on another schedule (the pace was changed, or rounds were added).
 * @param {Plan} before
 * @param {Plan} after
 * @param {number} clock
 */
export function carryOver(before, after, clock) {
  if (!before.starts.length || !after.starts.length) return 0;
  const index = Math.min(roundAt(before, Math.min(clock, before.end)), after.starts.length - 1);
  const part = Math.min(1, (clock - before.starts[index]) / Math.max(lengthOf(before, index), 1e-9));
  return after.starts[index] + part * lengthOf(after, index);
}

/**
 * How many times slower than the engine the viewer sees a round; null where there is none.
 * @param {Pick<Run, "rounds">} run
 * @param {Plan} plan
 * @param {number} index
 */
export function slowdownAt(run, plan, index) {
  return index < 0 ? null : lengthOf(plan, index) / secondsOf(run.rounds[index]);
}
