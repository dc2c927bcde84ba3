// One moment for many stages: the presenter's stage reports it, and those of the audience follow.

import type { Playhead } from "../player/playhead.ts";
import { clockOf, HAIR, lastMomentOf } from "../player/schedule.ts";
import type { FollowedMoment, Lead, PresenterMoment, View } from "../shared/json_types.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { LeadRoom } from "./lead_room.ts";

/** The event of the window with which a page hears of the presenter's moment. */
export const NEWS = "specviz-moment";

/** Clocks that are less than so many seconds apart show the same. */
const APART_S = 0.3;
/** The moment is reported so often at most. */
const REPORTED_MS = 200;

/** What a room reads and moves of a stage. */
interface RoomStage {
  run: Run;
  head: Playhead;
  view: View;
  /** The vote for which it went to its round, and the one whose outcome it has shown. */
  voted: string;
  move: (how: (head: Playhead) => void) => void;
}

/** Reports where this stage is, whenever that is not what its clock would have come to by itself. */
export class Leading {
  room = new LeadRoom();
  reported: (PresenterMoment & { at: number }) | null = null;
  later: number | null = null;

  to(lead: Lead | null) {
    if (lead?.secret !== this.room.lead?.secret) this.reported = null;
    this.room.lead = lead;
  }

  look(stage: RoomStage) {
    if (!this.room.lead || this.later !== null) return;
    const { head, run } = stage;
    const now = performance.now();
    const before = this.reported;
    const { index, landed, judged } = head.position;
    const round = index + (landed || judged ? 1 : 0);
    if (before && before.run === run.id && before.playing === head.playing && before.pace === head.pace) {
      const expected = before.clock + (head.playing ? (now - before.at) / 1000 : 0);
      const same = Math.abs(Math.min(expected, head.plan.end) - head.clock) < (head.playing ? APART_S : 1e-6);
      if (same && before.round === round) return;
    }
    if (before && now - before.at < REPORTED_MS) {
      this.later = window.setTimeout(() => {
        this.later = null;
        this.look(stage);
      }, REPORTED_MS);
      return;
    }
    const within = Math.max(0, head.clock - (head.plan.starts[index] ?? 0));
    const there = {
      run: run.id ?? "",
      clock: head.clock,
      playing: head.playing,
      pace: head.pace,
      round,
      index,
      within,
    };
    this.reported = { ...there, at: now };
    this.room.report(there);
  }
}

/** Bring a stage to the presenter's moment, if it shows the presenter's run. */
export function follow(stage: RoomStage, moment: FollowedMoment & { at: number }) {
  const { head } = stage;
  if (moment.run !== stage.run.id || !stage.run.rounds.length) return false;
  const since = moment.playing ? moment.since + (performance.now() - moment.at) / 1000 : 0;
  stage.move(() => {
    if (head.pace !== moment.pace) head.setPace(moment.pace);
    const clock = placeOnClock(head.plan, moment) + since;
    if (!(moment.playing && head.playing && Math.abs(clock - head.clock) < APART_S)) head.seek(clock, moment.playing);
  });
  return true;
}

/** The presenter's moment on the clock of a stage that knows less of the run, so that its rounds take other times. */
function placeOnClock(plan: Plan, { index, within }: FollowedMoment) {
  if (index >= plan.starts.length) return plan.end;
  return Math.min(plan.starts[index] + within, lastMomentOf(plan, index));
}

/** The moment before the verdicts of the round that a vote is about; null where this stage does not show its run. */
function verdictsAt({ run, head }: RoomStage) {
  const vote = window.specvizVote;
  if (!vote || vote.run !== run.id || !run.rounds[vote.round]) return null;
  return clockOf(head.plan, vote.round, "judge") - HAIR;
}

/** Whether the room still votes on a round of the run on this stage. */
export function votedOn(stage: RoomStage) {
  return window.specvizVote?.over === false && verdictsAt(stage) !== null;
}

/** Nobody sees the verdicts of a round on which the room still votes: the clock waits before them. */
export function holdBack(stage: RoomStage) {
  const at = votedOn(stage) ? verdictsAt(stage) : null;
  if (at !== null && stage.head.clock > at) stage.head.seek(at);
  const last = stage.run.rounds.length - 1;
  if (!stage.run.rounds[last]?.covered) return;
  const known = clockOf(stage.head.plan, last, "judge") - HAIR;
  if (stage.head.clock > known) stage.head.seek(known, stage.head.playing && Boolean(stage.view.following));
}

/** The presenter's stage shows what a new vote is about, and the outcome once the vote is over: each once, after which it may go anywhere. */
export function showVote(stage: RoomStage) {
  const vote = window.specvizVote;
  const at = verdictsAt(stage);
  const turn = vote ? `${vote.id} ${vote.over}` : "";
  if (!vote || at === null || turn === stage.voted) return;
  const known = stage.voted.startsWith(`${vote.id} `);
  stage.voted = turn;
  if (!vote.over) stage.move((head) => head.seek(at));
  else if (known) stage.move((head) => head.seek(head.endOfRound(vote.round)));
}
