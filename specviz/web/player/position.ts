// Where a run is at a moment of the viewer's clock: pure functions of (run, plan, clock), no DOM.

import type { Phase, Round } from "../shared/json_types.ts";
import { JOINED, NOWHERE, PHASES, type Position } from "../shared/phases.ts";
import { tokensOf, turnOf, verdictsOf } from "../shared/round.ts";
import type { Plan, Run, Shares } from "../shared/run_types.ts";
import { typedAt } from "../shared/trained_heads.ts";
import { beatOf, lengthOf, roundAt } from "./schedule.ts";

/** Everything that the picture needs to know at this moment of the clock. */
export function positionAt(run: Pick<Run, "rounds" | "drafterText">, plan: Plan, clock: number): Position {
  const count = run.rounds.length;
  if (!count) return NOWHERE;
  const moment = Math.min(Math.max(clock, 0), plan.end);
  const index = roundAt(plan, moment);
  const round = run.rounds[index];
  const length = lengthOf(plan, index);
  const share = plan.shares[index];
  const { phase, fraction } = phaseAt(share, length > 0 ? Math.min(1, (moment - plan.starts[index]) / length) : 1);
  const at = PHASES.indexOf(phase);
  const drafts = round.drafted.length;
  const landed = phase === "commit";
  const joined = landed && fraction >= JOINED;
  return {
    index,
    phase,
    fraction,
    engine: engineAt(round, phase, fraction),
    landed,
    joined,
    typed: phase === "draft" ? typedAt(run.drafterText, drafts, fraction) : drafts,
    sweep: phase === "verify" ? fraction : at > PHASES.indexOf("verify") ? 1 : 0,
    swept: at > PHASES.indexOf("verify"),
    judged: phase === "judge" ? judgedAt(round, share, fraction, beatOf(run, index)) : landed ? verdictsOf(round) : 0,
    committed: round.start + (joined ? tokensOf(round) : 0),
    ended: index === count - 1 && moment >= plan.end,
  };
}

/** How many verdicts are shown: those before the rejection one by one, the rejection at its turn, and after a beat what it discards. */
function judgedAt(round: Round, { turn }: Shares, fraction: number, beat: number) {
  const all = verdictsOf(round);
  const rejection = turnOf(round);
  if (!rejection) return oneByOne(all, fraction);
  if (fraction < turn) return oneByOne(rejection - 1, fraction / turn);
  return (fraction - turn) / (1 - turn) < beat ? rejection : all;
}

/** How many of so many steps have been made. */
function oneByOne(steps: number, part: number) {
  return Math.min(steps, Math.floor(part * (steps + 0.6) + 0.4));
}

/** The phase of a round of which so much has passed, and how much of that phase has. */
function phaseAt(share: Shares, part: number): { phase: Phase; fraction: number } {
  let left = part;
  for (const phase of PHASES) {
    if (left < share[phase]) return { phase, fraction: left / share[phase] };
    left -= share[phase];
  }
  return { phase: "commit", fraction: 1 };
}

/** Seconds of the engine's clock. What is neither drafting nor the target's pass is half judging, half committing. */
function engineAt(round: Round, phase: Phase, fraction: number) {
  const rest = Math.max(0, round.ended_s - round.began_s - round.draft_s - round.verify_s);
  const verifyAt = round.began_s + round.draft_s;
  return {
    draft: round.began_s + fraction * round.draft_s,
    verify: verifyAt + fraction * round.verify_s,
    judge: verifyAt + round.verify_s + 0.5 * fraction * rest,
    commit: round.ended_s - 0.5 * (1 - fraction) * rest,
  }[phase];
}
