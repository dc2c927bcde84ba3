// The opening: a recorded run and plain decoding as a function of the viewer's seconds. Both lanes show the same moment of the engine's
// clock. It is slow where something happens for the first time, and stands still while verdicts are read. Pure, no DOM.

import { countUpTo } from "../shared/figures.ts";
import { hasRejection, originsOf } from "../shared/round.ts";
import type { PlainTrack, Run } from "../shared/run_types.ts";

/** All of it, before the first round, the rest of plain decoding, and the closing line. */
export const LENGTH_S = 15;
const BEGINNING_S = 0.8;
const REST_S = 3.4;
const CLOSING_S = 2.2;

/** How long a round is shown, compared with a usual one: the first of its kind, and the second. */
const WEIGHTS = [6, 2];

/** The parts of a round: it is drafted, the target's pass goes through it, its verdicts stand, the tokens have joined the text. */
const SHARES = { draft: 0.3, pass: 0.3, verdict: 0.25, joined: 0.15 };

/** When each round starts, when the last one ends, and when the closing line appears. */
export type DuelPlan = { starts: number[]; raced: number; closing: number; end: number };

type DuelPhase = "before" | "draft" | "pass" | "verdict" | "joined" | "done";

/** `share`: of the phase; `plainShare`: of the plain pass under way; `written`: tokens; `paced`: plain passes are not measured yet. */
export type DuelMoment = {
  phase: DuelPhase;
  index: number;
  share: number;
  engine: number;
  passes: number;
  plainPasses: number;
  plainShare: number;
  paced: boolean;
  written: number;
  closed: boolean;
};

/** A token of the lower lane and what is known of it: "awaited" is the position of the target's own token during its pass. */
type Chip = {
  token: number | null;
  is: "drafted" | "awaited" | "accepted" | "rejected" | "discarded" | "corrected" | "bonus" | "own";
};

/** @param run a finished one, with its plain run. */
export function planOf({ rounds, ends, plain }: Pick<Run, "rounds" | "ends" | "plain">): DuelPlan {
  const seen = { accepted: 0, rejected: 0 };
  const weights = rounds.map((round) => WEIGHTS[seen[hasRejection(round) ? "rejected" : "accepted"]++] ?? 1);
  const rest = (plain.ends.at(-1) ?? 0) > (ends.at(-1) ?? 0) ? REST_S : 0;
  const closing = LENGTH_S - CLOSING_S;
  const raced = closing - rest;
  const unit = (raced - BEGINNING_S) / weights.reduce((sum, weight) => sum + weight, 0);
  let at = BEGINNING_S;
  const starts = weights.map((weight) => {
    at += weight * unit;
    return at - weight * unit;
  });
  return { starts, raced, closing, end: LENGTH_S };
}

/** What is on the screen after so many of the viewer's seconds. */
export function momentAt(
  { rounds, ends, totals, plain }: Pick<Run, "rounds" | "ends" | "totals" | "plain">,
  plan: DuelPlan,
  seconds: number,
): DuelMoment {
  const { phase, index, share } = phaseAt(plan, seconds);
  const round = rounds[index];
  const own = ends.at(-1) ?? 0;
  const all = Math.max(own, plain.ends.at(-1) ?? 0);
  const engine = {
    before: () => 0,
    draft: () => round.began_s + share * round.draft_s,
    pass: () => round.began_s + round.draft_s + share * (round.ended_s - round.began_s - round.draft_s),
    verdict: () => round.ended_s,
    joined: () => round.ended_s,
    done: () => own + share * (all - own),
  }[phase]();
  const joined = phase === "joined" ? 1 : 0;
  return {
    phase,
    index,
    share,
    engine,
    passes: phase === "before" ? 0 : countUpTo(ends, engine),
    ...plainAt(plain, engine),
    written: totals[phase === "done" ? rounds.length : Math.max(0, index) + joined].tokens,
    closed: seconds >= plan.closing,
  };
}

/**
 * The plain passes that have ended at a moment of the engine's clock, and the share of the one under way. Beyond what has been measured they
 * are as long as `rate` says, passes a second, up to `most` of them.
 */
export function plainAt(plain: PlainTrack, engine: number, rate: number | null = null, most = Infinity) {
  const ended = countUpTo(plain.ends, engine);
  const began = plain.ends[ended - 1] ?? 0;
  const under = plain.ends[ended];
  if (under !== undefined) return { plainPasses: ended, plainShare: (engine - began) / (under - began), paced: false };
  if (plain.done || !rate) return { plainPasses: ended, plainShare: 0, paced: false };
  const passes = Math.min(most, ended + Math.max(0, engine - began) * rate);
  return { plainPasses: Math.floor(passes), plainShare: passes % 1, paced: true };
}

function phaseAt(
  { starts, raced, closing }: DuelPlan,
  seconds: number,
): { phase: DuelPhase; index: number; share: number } {
  const index = starts.findLastIndex((start) => start <= seconds);
  if (index < 0) return { phase: "before", index, share: seconds / starts[0] };
  if (seconds >= raced) {
    const share = closing > raced ? Math.min(1, (seconds - raced) / (closing - raced)) : 1;
    return { phase: "done", index: starts.length, share };
  }
  const end = starts[index + 1] ?? raced;
  let left = (seconds - starts[index]) / (end - starts[index]);
  for (const [phase, part] of Object.entries(SHARES) as [DuelPhase, number][]) {
    if (left < part || phase === "joined") return { phase, index, share: Math.min(1, left / part) };
    left -= part;
  }
  throw new Error("the parts of a round are all of it");
}

/** The tokens of the lower lane at a moment, by position: those that are written, then those of the round under way. */
export function chipsAt(
  { rounds, ids }: Pick<Run, "rounds" | "ids">,
  { phase, index, share, written }: DuelMoment,
): Chip[] {
  const origins = rounds.flatMap(originsOf);
  const chips: Chip[] = ids.slice(0, written).map((token, i) => ({ token, is: origins[i] }));
  const round = rounds[index];
  if (!round || phase === "joined") return chips;
  const { drafted, closing } = round;
  const path = pathOf(round, phase === "verdict" ? round.accepted : []);
  const shown = phase === "draft" ? Math.ceil(share * path.length) : path.length;
  chips.push(
    ...path.slice(0, shown).map((at) => ({
      token: drafted[at].token,
      is: phase === "verdict" ? drafted[at].verdict : ("drafted" as const),
    })),
  );
  if (phase === "pass" && closing) chips.push({ token: null, is: "awaited" });
  return chips;
}

/** Drafted tokens by their indices: those of `begun`, then in a tree always the first that follows. */
function pathOf({ drafted }: Run["rounds"][number], begun: number[]) {
  const path = [...begun];
  for (let next = true; next; ) {
    const at = drafted.findIndex(({ parent }) => parent === (path.at(-1) ?? -1));
    next = at >= 0;
    if (next) path.push(at);
  }
  return path;
}
