// Where the time of a run went, beside plain decoding of the same text. Pure, no DOM.

import type { Round } from "./json_types.ts";
import type { Run } from "./run_types.ts";

export type Ledger = NonNullable<ReturnType<typeof ledgerOf>>;

/**
 * What the mean round of a run brought and took, in the time of a plain token, over the tokens that both texts have; without drafts it would
 * bring 1 token and take 1. Null where plain decoding was not measured to its end.
 */
export function ledgerOf(run: Pick<Run, "rounds" | "ids" | "plain">) {
  const common = Math.min(run.ids.length, run.plain.ids.length);
  if (!run.plain.done || !common) return null;
  const base = run.plain.rounds.filter((round) => round.start < common);
  const rounds = run.rounds.filter((round) => round.start < common);
  const drafting = rounds.filter((round) => round.drafted.length);
  const plain = base[base.length - 1].ended_s / common;
  const pass = mean(base, (round) => round.verify_s);
  const [draft, verify] = [mean(rounds, (round) => round.draft_s), mean(rounds, (round) => round.verify_s)];
  const cost = rounds[rounds.length - 1].ended_s / rounds.length;
  const drafted = mean(drafting, (round) => round.drafted.length);
  return {
    rounds: rounds.length,
    /** Tokens that a round brought. */
    tokens: common / rounds.length,
    /** The time of the drafter. */
    drafting: draft / plain,
    /** What the target's pass took beyond a pass over one token. */
    verifying: (verify - pass) / plain,
    /** The time of judging and committing beyond a plain round's. */
    rest: (cost - draft - verify - (plain - pass)) / plain,
    /** All of it. */
    cost: cost / plain,
    /** Tokens that a pass read in the rounds with drafts, and those of them that were drafted. */
    checked: drafted + 1,
    drafted,
    /** The time of such a pass, in that of a pass over one token. */
    pass: drafting.length ? mean(drafting, (round) => round.verify_s) / pass : 1,
    /** Rounds without drafts. */
    idle: rounds.length - drafting.length,
    /** Seconds of a plain token. */
    plain_s: plain,
  };
}

/** The mean over rounds; 0 where there are none. */
export function mean(rounds: Round[], value: (round: Round) => number) {
  return rounds.length ? rounds.reduce((sum, round) => sum + value(round), 0) / rounds.length : 0;
}
