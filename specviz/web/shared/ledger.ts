// Where the time of a run went, beside plain decoding of the same text. Pure, no DOM.

import type { Round } from "./json_types.ts";
import type { Ledger, Run } from "./run_types.ts";

/** The ledger over the tokens that both texts have; null where plain decoding was not measured to its end. */
export function ledgerOf(run: Pick<Run, "rounds" | "ids" | "plain">): Ledger | null {
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
    tokens: common / rounds.length,
    drafting: draft / plain,
    verifying: (verify - pass) / plain,
    rest: (cost - draft - verify - (plain - pass)) / plain,
    cost: cost / plain,
    checked: drafted + 1,
    drafted,
    pass: drafting.length ? mean(drafting, (round) => round.verify_s) / pass : 1,
    idle: rounds.length - drafting.length,
    plain_s: plain,
  };
}

/** The mean over rounds; 0 where there are none. */
export function mean(rounds: Round[], value: (round: Round) => number) {
  return rounds.length ? rounds.reduce((sum, round) => sum + value(round), 0) / rounds.length : 0;
}
