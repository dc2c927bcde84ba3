// The viewer's clock: where a run is shown, whether it plays, at which pace. Moved by seconds that are passed in; no time of its own.

import type { PaceName } from "../shared/json_types.ts";
import type { Position } from "../shared/phases.ts";
import { slotAt, wallOf } from "../shared/round.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { positionAt } from "./position.ts";
import {
  BRIEF_S,
  carryOver,
  clockOf,
  HAIR,
  lastMomentOf,
  lengthOf,
  nextRejection,
  PACES,
  phaseStep,
  schedule,
} from "./schedule.ts";

const PACE_ORDER: PaceName[] = ["hand", "slow", "lesson", "quick", "real"];

export class Playhead {
  run: Run;
  wait: (from: number, to: number) => number | null;
  plan: Plan;
  pace: PaceName = "quick";
  clock = 0;
  playing = false;
  /** The end of the phase that is being played alone. */
  until: number | null = null;

  /** @param wait where the clock must wait on its way forward; null where it need not. */
  constructor(run: Run, wait: (from: number, to: number) => number | null) {
    this.run = run;
    this.wait = wait;
    this.plan = schedule(run, this.pace);
  }

  get position() {
    return positionAt(this.run, this.plan, this.clock);
  }

  /** Whether a round is played too fast for its sentences. */
  hurries({ index, ended }: Position) {
    const { plan, playing } = this;
    return playing && !ended && Boolean(PACES[plan.pace].whole) && lengthOf(plan, index) < BRIEF_S;
  }

  get atEnd() {
    return this.clock >= this.plan.end;
  }

  /** Another run, at a moment of its clock. */
  open(run: Run, { clock, playing, pace }: { clock: number; playing: boolean; pace: PaceName }) {
    this.run = run;
    this.pace = pace;
    this.plan = schedule(run, pace);
    this.clock = clock;
    this.playing = playing;
    this.until = null;
  }

  /** The same run with more rounds. A clock that waits at the end of what there was stays at the end of that round. */
  extend(run: Run) {
    const before = this.plan;
    const last = before.starts.length - 1;
    const resting = !this.playing && last >= 0 && this.clock >= before.end && run.rounds.length > last + 1;
    this.run = run;
    this.plan = schedule(run, this.pace);
    if (resting) this.clock = this.endOfRound(last);
    else this.carry(before);
  }

  carry(before: Plan) {
    this.clock = carryOver(before, this.plan, this.clock);
    if (this.until !== null) this.until = carryOver(before, this.plan, this.until);
  }

  /** Move on by some seconds, but not past the end of a phase that is played alone, nor past where the clock must wait. */
  advance(seconds: number) {
    let to = Math.min(this.plan.end, this.clock + seconds);
    const stops = [this.until, this.wait(this.clock, to)].filter((at) => at !== null && at <= to);
    if (stops.length) {
      to = Math.min(...(stops as number[]));
      this.playing = false;
      this.until = null;
    }
    this.clock = to;
  }

  seek(clock: number, playing = false) {
    this.clock = Math.min(Math.max(0, clock), this.plan.end);
    this.playing = playing;
    this.until = null;
  }

  /** As `seek`, but forward no further than where the clock must wait. */
  seekOn(clock: number) {
    this.seek((clock > this.clock ? this.wait(this.clock, clock) : null) ?? clock);
  }

  toggle() {
    if (PACES[this.pace].byHand) this.playPhase();
    else this.seek(this.atEnd && !this.playing ? 0 : this.clock, !this.playing);
  }

  /** Play to the end of this phase and stop there. */
  playPhase() {
    const until = phaseStep(this.plan, this.clock, 1);
    this.seek(this.clock, true);
    this.until = until;
  }

  /** Play on from where the clock has waited. */
  resume() {
    this.seek(this.clock + 2 * HAIR, true);
    if (PACES[this.pace].byHand) this.until = phaseStep(this.plan, this.clock, 1);
  }

  phase(by: number) {
    this.seekOn(phaseStep(this.plan, this.clock, by));
  }

  /** To the end of the next round, or back to the end of the one before. */
  step(by: number) {
    const { index, joined } = this.position;
    if (index < 0) return;
    const next = Math.min(by < 0 ? index - 1 : index + (joined ? 1 : 0), this.run.rounds.length - 1);
    if (next < 0) this.seek(0);
    else this.seekOn(this.endOfRound(next));
  }

  /** The last moment of a round. */
  endOfRound(index: number) {
    return lastMomentOf(this.plan, index);
  }

  /** To the next rejection (by = 1) or the one before (by = -1); one whose verdict is not shown yet in this round counts as next. */
  rejection(by: number) {
    const { position } = this;
    const round = this.run.rounds[position.index];
    const wall = round ? wallOf(round) : -1;
    const ahead = by > 0 && wall >= 0 && !slotAt(round, position, wall).judged;
    const index = nextRejection(this.run, ahead ? position.index - 1 : position.index, by);
    if (index >= 0) this.seekOn(clockOf(this.plan, index, "commit") - HAIR);
  }

  setPace(pace: PaceName) {
    const before = this.plan;
    this.pace = pace;
    this.plan = schedule(this.run, pace);
    this.seek(carryOver(before, this.plan, this.clock), this.playing && !PACES[pace].byHand);
  }

  shiftPace(by: number) {
    const pace = PACE_ORDER[PACE_ORDER.indexOf(this.pace) + by];
    if (pace) this.setPace(pace);
  }
}
