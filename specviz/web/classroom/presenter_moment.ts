// One moment for many stages: where the presenter's is, and how those of the audience follow.

import { clockOf, HAIR, lastMomentOf, lengthOf } from "../player/schedule.ts";
import type { Stage } from "../player/stage.ts";
import type { FollowedMoment } from "../shared/json_types.ts";
import type { Plan } from "../shared/run_types.ts";
import { APART_S, passedSince } from "./lead_room.ts";

/** Where a stage is, for `Leading`. */
export function momentOf({ head, run }: Stage) {
  const { index, phase, fraction, landed, judged } = head.position;
  const { clock, playing, pace } = head;
  const round = index + (landed || judged ? 1 : 0);
  const there = { run: run.id ?? "", clock, playing, pace, round, index: Math.max(0, index), phase, fraction };
  return { there, rate: 1, end: head.plan.end };
}

/** Bring a stage to the presenter's moment, if it shows the presenter's run. */
export function follow(stage: Stage, moment: FollowedMoment & { at: number }) {
  const { head } = stage;
  if (moment.run !== stage.run.id || !stage.run.rounds.length) return false;
  const since = passedSince(moment);
  stage.move(() => {
    if (head.pace !== moment.pace) head.setPace(moment.pace);
    const clock = placeOnClock(head.plan, moment) + since;
    if (!(moment.playing && head.playing && Math.abs(clock - head.clock) < APART_S)) head.seek(clock, moment.playing);
  });
  return true;
}

/** The presenter's moment on the clock of a stage that knows less of the run, so that its rounds take other times. */
function placeOnClock(plan: Plan, { index, phase, fraction }: FollowedMoment) {
  if (index >= plan.starts.length) return plan.end;
  const into = fraction * plan.shares[index][phase] * lengthOf(plan, index);
  return Math.min(clockOf(plan, index, phase) + into, lastMomentOf(plan, index));
}

/** The moment before the verdicts of the round that a vote is about; null where this stage does not show its run. */
function verdictsAt({ run, head }: Stage) {
  const vote = window.specvizVote;
  if (!vote || vote.run !== run.id || !run.rounds[vote.round]) return null;
  return clockOf(head.plan, vote.round, "judge") - HAIR;
}

/** Whether the room still votes on a round of the run on this stage. */
export function votedOn(stage: Stage) {
  return window.specvizVote?.over === false && verdictsAt(stage) !== null;
}

/** Nobody sees the verdicts of a round on which the room still votes: the clock waits before them. */
export function holdBack(stage: Stage) {
  const at = votedOn(stage) ? verdictsAt(stage) : null;
  if (at !== null && stage.head.clock > at) stage.head.seek(at);
  const last = stage.run.rounds.length - 1;
  if (!stage.run.rounds[last]?.covered) return;
  const known = clockOf(stage.head.plan, last, "judge") - HAIR;
  if (stage.head.clock > known) stage.head.seek(known, stage.head.playing && Boolean(stage.view.following));
}

/** The presenter's stage shows what a new vote is about, and the outcome once the vote is over: each once, after which it may go anywhere. */
export function showVote(stage: Stage) {
  const vote = window.specvizVote;
  const at = verdictsAt(stage);
  const turn = vote ? `${vote.id} ${vote.over}` : "";
  if (!vote || at === null || turn === stage.voted) return;
  const known = stage.voted.startsWith(`${vote.id} `);
  stage.voted = turn;
  if (!vote.over) stage.move((head) => head.seek(at));
  else if (known) stage.move((head) => head.seek(head.endOfRound(vote.round)));
}
