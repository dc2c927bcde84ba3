// A run cut into passes for another draft length, compared with what runs are.

import { expect, test } from "vitest";
import { tokensOf } from "../shared/round.ts";
import { comparedRun, RECORDED, runOf, traceOf } from "../testing/runs.ts";
import { canBeCut, cutFor, LENGTHS, speedupsOf } from "./other_lengths.ts";

test("with its own k a recorded run has the passes that it had, and nothing is assumed", () => {
  for (const name of ["letter", "people", "vowels"]) {
    const run = runOf(RECORDED[name]);
    expect(canBeCut(run)).toBe(true);
    expect(cutFor(run, run.k).passes).toEqual(run.rounds.map(tokensOf));
    expect(cutFor(run, run.k).estimated).toBe(0);
    expect(cutFor(run, run.k).closings).toEqual(run.rounds.map(({ closing }) => closing?.how ?? "accepted"));
  }
});

test("k = 1 brings at most two tokens a pass, a longer k never more passes; every cut has all tokens", () => {
  const run = runOf(RECORDED.letter);
  const cuts = LENGTHS.map((k) => cutFor(run, k).passes);
  for (const [i, passes] of cuts.entries()) {
    expect(passes.reduce((sum, tokens) => sum + tokens, 0)).toBe(run.ids.length);
    expect(Math.max(...passes)).toBeLessThanOrEqual(LENGTHS[i] + 1);
  }
  expect(cuts[0].length).toBeGreaterThan(cuts[4].length);
  expect(speedupsOf(run)).toHaveLength(LENGTHS.length);
});

test("a position that no guess was made for is assumed and counted; a rejected one ends every cut's pass", () => {
  const run = comparedRun(traceOf(["aa", "rd"])); // two right and a bonus, then a wrong one
  const { passes, estimated } = cutFor(run, 4);
  expect(estimated).toBe(1);
  expect(passes).toEqual([4]);
  expect(cutFor(run, 1).passes).toEqual([2, 2]);
});

test("trees and random runs are not cut", () => {
  expect(
    canBeCut(comparedRun(traceOf(["arad"], { parents: [-1, -1, 1, 1], drafter: "tree", label: "tree of drafts" }))),
  ).toBe(false);
  expect(canBeCut(comparedRun(traceOf(["aaa"], { temperature: 0.8 })))).toBe(false);
});
