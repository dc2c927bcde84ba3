import { expect, test } from "vitest";
import type { PaceName } from "../shared/json_types.ts";
import { PHASES } from "../shared/phases.ts";
import { layoutOf } from "../shared/tree_layout.ts";
import { comparedRun, EIGHT, liveRun, MIXED, traceOf } from "../testing/runs.ts";
import { clockAtEngine } from "./moment_clock.ts";
import { Playhead } from "./playhead.ts";
import { positionAt } from "./position.ts";
import { clockOf, HAIR, PACES, schedule } from "./schedule.ts";
import { laneEnds } from "./time_boxes.ts";

const EVERY_PACE = Object.keys(PACES) as PaceName[];
const clocks = (end: number, count: number) => Array.from({ length: count + 1 }, (_, i) => (i * end) / count);

test("as the viewer's clock goes on, neither the committed tokens nor the engine's clock go back", () => {
  const run = liveRun(EIGHT);
  for (const pace of ["lesson", "real"] as const) {
    const plan = schedule(run, pace);
    const moments = clocks(plan.end, 1000).map((clock) => positionAt(run, plan, clock));
    for (const [i, { committed, engine }] of moments.slice(1).entries()) {
      expect(committed).toBeGreaterThanOrEqual(moments[i].committed);
      expect(engine).toBeGreaterThanOrEqual(moments[i].engine - 1e-9);
    }
    expect(moments.at(-1)?.committed).toBe(8);
  }
});

test("a run opens at a pace that ends in twenty seconds: two rounds for reading, the others ever faster, and every phase can be stepped to", () => {
  for (const count of [1, 2, 3, 8, 43, 300]) {
    const run = liveRun(Array(count).fill("ard"));
    const head = new Playhead(run, () => null);
    const { starts, end } = head.plan;
    const visited = new Set<string>();
    for (let i = 0; i < 4 * count; i += 1) {
      head.phase(1);
      visited.add(`${head.position.index} ${head.position.phase}`);
    }
    const lesson = schedule(run, "lesson").end;
    const took = [...starts.slice(1), end].map((next, i) => next - starts[i]);
    expect(head.pace).toBe("quick");
    expect(end).toBeLessThanOrEqual(20 + 1e-6);
    expect(Math.abs(end - (count < 3 ? Math.min(20, lesson) : 20))).toBeLessThanOrEqual(2);
    for (const [i, seconds] of took.slice(1).entries()) expect(seconds).toBeLessThanOrEqual(took[i] + 1e-9);
    expect(took[0] + (took[1] ?? 0)).toBeGreaterThanOrEqual(Math.min(15 - 1e-6, lesson));
    expect(visited.size).toBe(4 * count);
  }
});

test("the clock of an engine moment shows that moment, anywhere in the run, at every pace", () => {
  const run = comparedRun(traceOf(MIXED));
  for (const pace of EVERY_PACE) {
    const plan = schedule(run, pace);
    for (const seconds of clocks(laneEnds(run).speculative, 300))
      expect(Math.abs(positionAt(run, plan, clockAtEngine(run, plan, seconds)).engine - seconds)).toBeLessThan(2e-4);
  }
});

/** A playhead of four rounds that waits at these moments. */
function playhead(stops: number[] = []) {
  const run = liveRun(EIGHT);
  return { run, head: new Playhead(run, (from, to) => stops.find((at) => at >= from && at <= to) ?? null) };
}

test("each step on goes to the end of the next phase, each step back to the same moments; a round without drafts has two phases", () => {
  const { head } = playhead();
  const walk = (by: number) =>
    Array.from({ length: 15 }, () => {
      head.phase(by);
      return `${head.position.index} ${head.position.phase}`;
    });
  const rounds = [0, 1, 2].flatMap((index) => PHASES.map((phase) => `${index} ${phase}`));
  const expected = [...rounds, "3 verify", "3 commit"];
  expect(walk(1)).toEqual([...expected, "3 commit"]);
  expect(walk(-1).slice(0, 13)).toEqual(expected.slice(0, -1).reverse());
});

test("no frame, jump or step leads past a moment at which the clock must wait; `resume` goes on, and a single phase stops at its end", () => {
  const stops: number[] = [];
  const { head } = playhead(stops);
  const at = clockOf(head.plan, 1, "judge") - HAIR;
  stops.push(at);
  const state = () => [Math.abs(head.clock - at) < 1e-9, head.playing];
  const ways = [() => head.advance(60), () => head.seekOn(head.plan.end), () => [head.step(1), head.step(1)]];
  for (const way of ways) {
    head.seek(0, true);
    way();
    expect(state()).toEqual([true, false]);
  }
  head.resume();
  head.advance(60);
  expect(state()).toEqual([false, true]);
  head.setPace("hand");
  head.seek(0);
  head.toggle();
  head.advance(60);
  expect([head.position.phase, head.position.index, head.playing]).toEqual(["draft", 0, false]);
});

test("rounds that come leave the clock at the end of what there was, or elsewhere in its round and phase", () => {
  const { head, run } = playhead();
  for (const clock of [Infinity, 1]) {
    head.open({ ...run, rounds: run.rounds.slice(0, 2) }, { clock: 0, playing: false, pace: "lesson" });
    head.seek(clock);
    const { index, phase } = head.position;
    head.extend(run);
    expect(head.position).toMatchObject({ index, phase });
  }
});

test("no two nodes of a tree share a cell: a first child is in its parent's row, each further one in a row of its own", () => {
  const cellsOf = (parents: number[]) =>
    layoutOf(parents.map((parent) => ({ parent }))).nodes.map(({ depth, row }) => `${depth}${row}`);
  expect(cellsOf([-1, 0, 1])).toEqual(["00", "10", "20"]);
  expect(cellsOf([-1, -1, -1])).toEqual(["00", "01", "02"]);
  expect(cellsOf([-1, 0, 0, 1, 2])).toEqual(["00", "10", "11", "20", "21"]);
  expect(cellsOf([])).toEqual([]);
});
