// The opening: a recorded run and plain decoding as a function of the viewer's seconds. Both lanes show the same moment of the engine's
// clock. It is slow where something happens for the first time, and stands still while verdicts are read. Pure, no DOM.

import { positionAt } from "../player/position.ts";
import { countUpTo } from "../shared/figures.ts";
import { JOINED, NOWHERE, type Position } from "../shared/phases.ts";
import { hasRejection, originsOf } from "../shared/round.ts";
import type { PlainTrack, Plan, Run, Shares } from "../shared/run_types.ts";

/** All of it, before the first round, the rest of plain decoding, and the closing line. */
export const LENGTH_S = 15;
const BEGINNING_S = 0.8;
export const REST_S = 3.4;
const CLOSING_S = LENGTH_S - 2.2;

/** How long a round is shown, compared with a usual one: the first of its kind, and the second. */
const WEIGHTS = [6, 2];

/** Of a round: a quarter shows its verdicts, and for 0.15 its tokens have joined the text. */
const COMMIT = 0.15 / (1 - JOINED);
const SHARES: Shares = { draft: 0.3, verify: 0.3, judge: 0.4 - COMMIT, commit: COMMIT, turn: 1 };

/** The parts of a round: it is drafted, the target's pass goes through it, its verdicts stand, the tokens have joined the text. */
type DuelPhase = "before" | "draft" | "pass" | "verdict" | "joined" | "done";

/** `share`: of the phase; `plainShare`: of the plain pass under way; `written`: tokens; `paced`: plain passes are not measured yet. */
export type DuelMoment = ReturnType<typeof momentOf>;

/** A token of the lower lane and what is known of it: "awaited" is the position of the target's own token during its pass. */
type Chip = {
  token: number | null;
  is: "drafted" | "awaited" | "accepted" | "rejected" | "discarded" | "corrected" | "bonus" | "own";
};

/** @param run a finished one, with its plain run. */
export function planOf({ rounds, ends, plain }: Pick<Run, "rounds" | "ends" | "plain">): Plan {
  const seen = { accepted: 0, rejected: 0 };
  const weights = rounds.map((round) => WEIGHTS[seen[hasRejection(round) ? "rejected" : "accepted"]++] ?? 1);
  const end = CLOSING_S - ((plain.ends.at(-1) ?? 0) > (ends.at(-1) ?? 0) ? REST_S : 0);
  const unit = (end - BEGINNING_S) / weights.reduce((sum, weight) => sum + weight, 0);
  let at = BEGINNING_S;
  const starts = weights.map((weight) => {
    at += weight * unit;
    return at - weight * unit;
  });
  return { starts, shares: rounds.map(() => SHARES), end, pace: "quick" };
}

/** What is on the screen after so many of the viewer's seconds. */
export function momentAt(run: Run, plan: Plan, seconds: number): DuelMoment {
  const { rounds, ends, plain } = run;
  const still = rounds.map((round) => ({ ...round, verify_s: round.ended_s - round.began_s - round.draft_s })); // the clock stands at verdicts
  const position = seconds < plan.starts[0] ? NOWHERE : positionAt({ ...run, rounds: still }, plan, seconds);
  const left = Math.max(0, (plain.ends.at(-1) ?? 0) - (ends.at(-1) ?? 0));
  const moment = momentOf(run, position, left * Math.min(1, Math.max(0, (seconds - plan.end) / REST_S)));
  return { ...moment, passes: countUpTo(ends, moment.engine), closed: seconds >= CLOSING_S };
}

/**
 * Both lanes where a run is at a position.
 * @param rest engine seconds since the end of the run, in which plain decoding goes on
 */
export function momentOf(run: Run, position: Position, rest: number) {
  const { index, phase, fraction, joined } = position;
  const ended = position.ended && run.complete;
  const engine = position.engine + (ended ? rest : 0);
  const most = run.complete && run.drafterText.certain ? run.ids.length : run.limit;
  const passes = Math.max(0, index + (joined ? 1 : 0));
  const plain = plainAt(run.plain, engine, run.plainRate, most);
  const named = { draft: "draft", verify: "pass", judge: "verdict", commit: joined ? "joined" : "verdict" } as const;
  return {
    phase: (index < 0 ? "before" : ended ? "done" : named[phase]) as DuelPhase,
    index: ended ? run.rounds.length : index,
    share: fraction,
    engine,
    passes,
    ...plain,
    written: run.totals[passes].tokens,
    closed: ended && (run.over || run.plain.done) && plain.plainPasses >= run.plain.rounds.length,
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
