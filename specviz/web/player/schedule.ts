// The viewer's schedule: which second of the viewer's clock shows which round and phase. Pure, no DOM, no time of its own.
// Seconds of the engine are the recorded ones.

import type { PaceName, Phase, Round } from "../shared/json_types.ts";
import { PHASES } from "../shared/phases.ts";
import { hasRejection, turnOf, verdictsOf, wallOf } from "../shared/round.ts";
import type { Plan, Run, Shares } from "../shared/run_types.ts";
import { english } from "../shared/words.ts";
import { readingTimes } from "./reading_pace.ts";

/** The shares of a round's time that its phases take at a pace that is not for reading, and in a round without drafts. */
const BRISK = { draft: 0.34, verify: 0.22, judge: 0.22, commit: 0.22 };
const WITHOUT_DRAFTS = { draft: 0, verify: 0.5, judge: 0, commit: 0.5 };

/** So little before a moment that it is still what was shown until then. */
export const HAIR = 1e-6;

/** The shares of a round that is one picture: its tokens join the text, and what came before is over at once. */
const ONE_PICTURE = { draft: 0.02, verify: 0.02, judge: 0.02, commit: 0.94 };

/** So many rounds are shown for reading where the whole run is to be short. */
const OPENING = 2;

/** Viewer's seconds of the first round after these, of one more that is faster by a little, and of the fastest. */
const [FIRST_S, FASTER, FASTEST_S] = [1.2, 0.85, 0.35];

/** All rounds after the opening take at most so many of the viewer's seconds. */
const REST_S = 5;

/** A round that is shown for less than this is one picture. */
export const BRIEF_S = 0.6;

/**
 * `reading` is how many times longer than its reading takes every sentence stays; `whole` are the viewer's seconds of the whole run, at
 * most; `round` are those of one round. With none of them a round takes as long as the engine took. `byHand` waits for a key at the end of
 * each phase.
 */
export const PACES: Record<
  PaceName,
  { word: string; reading?: number; whole?: number; round?: number; byHand?: boolean }
> = {
  slow: { word: english("Slow"), reading: 1.5 },
  lesson: { word: english("Lesson"), reading: 1 },
  quick: { word: english("Quick"), whole: 20 },
  real: { word: english("Real time") },
  hand: { word: english("Key by key"), round: 1.6, byHand: true },
};

/** How long the engine took for a round; never zero, so that it can divide. */
function secondsOf(round: Round) {
  return Math.max(round.ended_s - round.began_s, HAIR);
}

/**
 * Viewer's seconds of each round. At a pace for reading these follow from its sentences; where the whole run is to be short, two rounds are
 * for reading and the others ever faster; else rounds are slow at first, faster once the idea is clear, or as long as the engine took.
 */
export function schedule(run: Run, pace: PaceName): Plan {
  const plan: Plan = { starts: [], shares: [], end: 0, pace };
  for (const { seconds, shares } of timesOf(run, pace)) {
    plan.starts.push(plan.end);
    plan.shares.push(shares);
    plan.end += seconds;
  }
  return plan;
}

function timesOf(run: Run, pace: PaceName): { seconds: number; shares: Shares }[] {
  const { reading, whole, round: base } = PACES[pace];
  const { rounds } = run;
  if (whole) return withinSeconds(run, whole);
  if (reading) {
    const read = new Set<string>();
    return rounds.map((_, index) => scaled(forReading(run, index, read), reading));
  }
  return rounds.map((round, index) => {
    const hurry = index < 3 ? 1 : index < 6 ? 0.72 : 0.5;
    const shares = { ...(base ? brisk(round) : measured(round)), turn: usualTurn(round) };
    return { seconds: base ? base * hurry : secondsOf(round), shares };
  });
}

/** The first rounds for reading, then ever faster ones, all within so many seconds: what the others leave is there for reading. */
function withinSeconds(run: Run, whole: number) {
  const { rounds } = run;
  const read = new Set<string>();
  const opening = rounds.slice(0, OPENING).map((_, index) => forReading(run, index, read));
  const wanted = rounds.slice(OPENING).map((_, i) => Math.max(FASTEST_S, FIRST_S * FASTER ** i));
  const rest = Math.min(1, REST_S / sum(wanted));
  const reading = Math.min(1, (whole - rest * sum(wanted)) / sum(opening.map(({ seconds }) => seconds)));
  const others = wanted.map((seconds, i) => {
    const round = rounds[OPENING + i];
    const shares = rest * seconds < BRIEF_S ? ONE_PICTURE : brisk(round);
    return { seconds: rest * seconds, shares: { ...shares, turn: usualTurn(round) } };
  });
  return [...opening.map((times) => scaled(times, reading)), ...others];
}

function scaled({ seconds, shares }: { seconds: number; shares: Shares }, factor: number) {
  return { seconds: factor * seconds, shares };
}

function sum(values: number[]) {
  return values.reduce((total, value) => total + value, 0);
}

/** Seconds of a round whose sentences are read, and the shares of its phases. */
function forReading(run: Run, index: number, read: Set<string>): { seconds: number; shares: Shares } {
  const { draft, verify, question, rejection, commit } = readingTimes(run, index, read);
  const judge = question + rejection;
  const seconds = draft + verify + judge + commit;
  const turn = rejection ? question / judge : 1;
  const [d, v, j, c] = [draft, verify, judge, commit].map((part) => part / seconds);
  return { seconds, shares: { draft: d, verify: v, judge: j, commit: c, turn } };
}

function brisk(round: Round) {
  return round.drafted.length ? BRISK : WITHOUT_DRAFTS;
}

function measured(round: Round) {
  const total = secondsOf(round);
  const rest = Math.max(0, total - round.draft_s - round.verify_s) / total;
  return { draft: round.draft_s / total, verify: round.verify_s / total, judge: rest / 2, commit: rest / 2 };
}

/**
 * The part of the time after that verdict for which all stands still, before what follows it is thrown away: long the first time in
 * a run, shorter later.
 */
export function beatOf({ rounds }: Pick<Run, "rounds">, index: number) {
  return rounds.findIndex((round) => wallOf(round) >= 0) === index ? 0.6 : 0.3;
}

/** The part of the judging after which that rejection is shown, where all verdicts take the same time. */
function usualTurn(round: Round) {
  const turn = turnOf(round);
  return turn ? turn / (verdictsOf(round) + 1) : 1;
}

/** The round that is shown at a moment of the clock. */
export function roundAt(plan: Plan, clock: number) {
  return Math.max(
    0,
    plan.starts.findLastIndex((start) => start <= clock),
  );
}

/** When the next round starts, or the last one ends. */
export function endOf(plan: Plan, index: number) {
  return index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end;
}

/** The last moment of a round. */
export function lastMomentOf(plan: Plan, index: number) {
  return index + 1 < plan.starts.length ? plan.starts[index + 1] - HAIR : plan.end;
}

/** Viewer's seconds of a round. */
export function lengthOf(plan: Plan, index: number) {
  return endOf(plan, index) - plan.starts[index];
}

/** When a phase of a round starts. */
export function clockOf(plan: Plan, index: number, phase: Phase) {
  const share = plan.shares[index];
  const before = PHASES.slice(0, PHASES.indexOf(phase)).reduce((sum, name) => sum + share[name], 0);
  return plan.starts[index] + before * lengthOf(plan, index);
}

/** The end of every phase of a round that takes time: a hair before the next one starts. */
function phaseEnds(plan: Plan, index: number) {
  const share = plan.shares[index];
  const lasting = PHASES.filter((name) => share[name] > 0);
  const starts = lasting.slice(1).map((name) => clockOf(plan, index, name));
  const end = index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end + HAIR;
  return [...starts, end].map((at) => at - HAIR);
}

/** One phase on (by = 1) or back (by = -1): the end of that phase. */
export function phaseStep(plan: Plan, clock: number, by: number) {
  if (!plan.starts.length) return 0;
  const index = roundAt(plan, Math.min(clock, plan.end));
  const near = [index - 1, index, index + 1].filter((i) => i >= 0 && i < plan.starts.length);
  const stops = [0, ...near.flatMap((i) => phaseEnds(plan, i))];
  if (by > 0) return stops.find((at) => at > clock + HAIR / 2) ?? plan.end;
  return stops.findLast((at) => at < clock - HAIR / 2) ?? 0;
}

/** The nearest round after this one (by = 1) or before it (by = -1) in which a draft was rejected; -1 where there is none. */
export function nextRejection(run: Pick<Run, "rounds">, index: number, by: number) {
  for (let i = index + by; i >= 0 && i < run.rounds.length; i += by) {
    if (hasRejection(run.rounds[i])) return i;
  }
  return -1;
}

/** The same moment of the run on another schedule (the pace was changed, or rounds were added). */
export function carryOver(before: Plan, after: Plan, clock: number) {
  if (!before.starts.length || !after.starts.length) return 0;
  const index = Math.min(roundAt(before, Math.min(clock, before.end)), after.starts.length - 1);
  const part = Math.min(1, (clock - before.starts[index]) / Math.max(lengthOf(before, index), 1e-9));
  return after.starts[index] + part * lengthOf(after, index);
}

/** How many times slower than the engine the viewer sees a run, all its rounds together; null where there is none. */
export function slowdownOf(run: Pick<Run, "rounds">, plan: Plan) {
  return run.rounds.length ? plan.end / run.rounds.reduce((sum, round) => sum + secondsOf(round), 0) : null;
}
