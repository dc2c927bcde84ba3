import { expect, test } from "vitest";
import { comparedRun, DRAFT_S, expectNear, MIXED, PLAIN_S, ROUND_S, traceOf, VERIFY_S } from "../testing/runs.ts";
import { boxesOf } from "./time_boxes.ts";

test("every pass is a box at its recorded time; drafting is one box with k ticks", () => {
  const run = comparedRun(traceOf(MIXED));
  const boxes = boxesOf(run);
  const of = (lane: number, kind: string) => boxes.filter((box) => box.lane === lane && box.kind === kind);
  for (const [i, { from, to }] of of(0, "target").entries()) expectNear([from, to], [i * PLAIN_S, (i + 1) * PLAIN_S]);
  for (const [i, { from, to, ticks }] of of(1, "draft").entries())
    expectNear([from, to, ticks], [i * ROUND_S, i * ROUND_S + DRAFT_S, MIXED[i].length]);
  for (const { from, to } of of(1, "target")) expect(to - from).toBeCloseTo(VERIFY_S);
  expect([of(0, "target"), of(1, "draft"), of(1, "target")].map(({ length }) => length)).toEqual([10, 4, 4]);
});

test("a part of the target is drawn as the layers it is, and after an early exit the target's pass does not repeat them", () => {
  for (const [drafter, layers] of Object.entries({ "early-exit": [0, 1, 2], "my-own": [0, 5, 11] })) {
    const boxes = boxesOf(comparedRun(traceOf(MIXED, { drafter, layers, of: 12 })));
    const drafts = boxes.filter(({ kind }) => kind === "draft");
    expect(drafts).toHaveLength(4);
    for (const box of drafts) expect(box.layers).toEqual({ used: layers, of: 12 });
    const done = boxes.flatMap((box) => (box.kind === "target" && box.lane ? [box.done] : []));
    expect(done).toEqual(MIXED.map(() => (drafter === "early-exit" ? 3 / 12 : 0)));
    expect(boxes.some((box) => !box.lane && box.done)).toBe(false);
  }
});
