// To the viewer's clock: from a moment as a lesson or an address names it, and from the engine's clock. Pure, no DOM.

import type { RunMoment } from "../shared/json_types.ts";
import { PHASES, type Position } from "../shared/phases.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { positionAt } from "./position.ts";

/** So little before the end of a phase that it is still that phase. */
const JUST_BEFORE = 1e-6;

/** Halvings of the whole clock: enough for any of its moments. */
const HALVINGS = 60;

/** Whether the picture has come to a moment. */
function hasCome(position: Position, { round, phase, part, count }: RunMoment) {
  if (position.index !== round) return position.index > round;
  if (position.phase !== phase) return PHASES.indexOf(position.phase) > PHASES.indexOf(phase);
  if (count !== null) return (phase === "draft" ? position.typed : position.judged) >= count;
  return part < 1 && position.fraction >= part;
}

/** The first moment of the viewer's clock at which something has come, that stays from then on. */
function firstClock(plan: Plan, come: (clock: number) => boolean) {
  if (come(0)) return 0;
  if (!come(plan.end)) return plan.end;
  let [before, after] = [0, plan.end];
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (before + after) / 2;
    if (come(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The viewer's clock at which the engine's clock shows so many seconds. */
export function clockAtEngine(run: Pick<Run, "rounds" | "drafterText">, plan: Plan, seconds: number) {
  return firstClock(plan, (clock) => positionAt(run, plan, clock).engine >= seconds);
}

/** The viewer's clock at a moment of a run. What comes before and after it follows from the pictures alone, so that no pace matters. */
export function clockOfMoment(run: Run, plan: Plan, moment: RunMoment) {
  const after = firstClock(plan, (clock) => hasCome(positionAt(run, plan, clock), moment));
  if (moment.count !== null || moment.part < 1 || after === plan.end) return after;
  const { index, phase } = positionAt(run, plan, after - JUST_BEFORE);
  return index === moment.round && phase === moment.phase ? after - JUST_BEFORE : after; // a phase without length has no last moment
}
