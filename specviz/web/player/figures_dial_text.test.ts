// The figures in words: one steady count while a run plays, the speedup when it is final, and none that cannot be.

import { expect, test } from "vitest";
import type { View } from "../shared/json_types.ts";
import { NOWHERE } from "../shared/phases.ts";
import { readRun } from "../shared/read_recording.ts";
import type { Run } from "../shared/run_types.ts";
import {
  CASES,
  comparedRun,
  GIVEN,
  liveOf,
  MIXED,
  PLAIN_S,
  plainOf,
  ROUND_S,
  runOf,
  slowed,
  traceOf,
} from "../testing/runs.ts";
import { headlineOf, paceWords } from "./figures_dial_text.ts";
import { closingReason } from "./reasons_text.ts";
import { summaryOf } from "./stage_text.ts";

const headlines = (run: Run) => run.rounds.map((_, index) => headlineOf(run, { ...NOWHERE, index, joined: true }));
const lastOf = (run: Run) => headlines(run)[run.rounds.length - 1];
const untrusted = (timing: object, more: Partial<View> = {}) => {
  const usual = { trusted: true, why: "measured on a busy machine", between: "", grounds: "Measured in turn." };
  return comparedRun(traceOf(MIXED), { timing: { ...usual, ...timing }, ...more });
};

test("until the last round ended no ratio stands anywhere: passes are counted, and tokens ahead of plain decoding", () => {
  const all = headlines(comparedRun(traceOf(["rdd", "aaa", "aaa", "ard"])));
  const playing = all.slice(0, 3);
  expect(playing.map(({ speedup }) => `${speedup.value} ${speedup.label}, ${speedup.small}`)).toEqual([
    "1 pass for 1 token, level with plain",
    "2 passes instead of 5, 3 tokens ahead of plain",
    "3 passes instead of 9, 5 tokens ahead of plain",
  ]);
  for (const { mood, speedup, rate, perPass, accepted } of playing) {
    expect(mood).toBe("count");
    for (const figure of [speedup, rate, perPass, accepted])
      expect(JSON.stringify({ ...figure, how: "" })).not.toContain("×");
  }
  const { mood, speedup, perPass, accepted } = all[3];
  expect([mood, speedup.value]).toEqual(["faster", `${((11 * PLAIN_S) / (4 * ROUND_S)).toFixed(2)}×`]);
  expect(perPass.small).toBe("11 tokens in 4 passes");
  const label = "guesses accepted (of those checked)";
  expect({ ...accepted, how: "" }).toEqual({ value: "7 of 9", label, small: "78%", beside: "", how: "" });
});

test("while plain decoding is still being measured there is no ratio, and none with another rate is shown", () => {
  const live = liveOf(traceOf(MIXED), { ended: { speculative: "length" } });
  const run = readRun({ id: "x", status: "running", plain_rate: 100, live }, GIVEN);
  const { value, label, small, beside } = lastOf(run).speedup;
  expect([value, label, small, beside]).toEqual(["4", "passes instead of 10", "", ""]);
  const { mood: _, ...before } = headlineOf(readRun({ id: "x", status: "queued" }, GIVEN), NOWHERE);
  for (const figure of Object.values(before)) {
    expect(figure.value).toBe("–");
  }
});

test("a slowdown says by how many per cent it is slower, and on the way that it is behind plain", () => {
  const texts = headlines(comparedRun(traceOf(["rdd", "rdd", "rdd", "rdd"])));
  expect(texts[2].speedup.small).toBe("1 token behind plain");
  expect(texts[3].mood).toBe("slower");
  expect(texts[3].speedup.small).toMatch(/^25% slower than plain/);
  expect([0.91, 0.5].map(paceWords)).toEqual(["9% slower than plain", "50% slower than plain"]);
  expect([0.999, 1.004, 1.2].map(paceWords)).toEqual(["as fast as plain", "as fast as plain", ""]);
});

test("more than the tokens per pass allow is no headline: it is said, in the words that Python has; a hair more is the clock's noise", () => {
  const trace = traceOf(MIXED);
  const plain = plainOf(trace);
  const [most, speedup] = [10 / 4, (10 * PLAIN_S) / (4 * ROUND_S)];
  const lastAt = (factor: number) => lastOf(runOf([trace, slowed(plain, (factor * most) / speedup)]));
  expect(lastAt(1.015).mood).toBe("faster");
  for (const factor of [1.031, 3]) {
    const last = lastAt(factor);
    expect(last.mood).toBe("busy");
    const { value, small, beside, how } = last.speedup;
    expect([value, small, beside]).toEqual(["4", CASES.words.beyond, ""]);
    expect(how).toContain(CASES.words.most);
    expect(last.rate.small).toBe("not trusted");
  }
});

test("as many passes as tokens are no saving, and plain decoding alone says that it is that", () => {
  const trace = traceOf(["rdd", "rdd"]);
  const headline = { value: "2", label: "passes for 2 tokens" };
  expect(lastOf(runOf([trace])).speedup).toMatchObject({ ...headline, small: "no plain run" });
  const alone = lastOf(runOf([plainOf(trace)])).speedup;
  expect(alone).toMatchObject({ ...headline, small: "plain decoding: nothing is drafted" });
});

test("a figure of a busy machine says so; times that are not trusted give a range beside the passes, which are exact, and no speedup", () => {
  const { speedup } = lastOf(untrusted({}));
  expect(speedup.value).toMatch(/×$/);
  expect(speedup.small).toBe("measured on a busy machine");
  expect(speedup.how).toContain("Measured in turn.");
  const between = "between 0.4× and 8.7×";
  const last = lastOf(untrusted({ trusted: false, between }, { speedups: [8.69, 0.44, 0.49], timed: 3 }));
  const passes = { value: "4", label: "passes instead of 10" };
  expect(last.speedup).toMatchObject({ ...passes, small: "measured on a busy machine", beside: between });
  for (const { how } of [last.speedup, last.rate]) expect(how).toContain("Measured in turn.");
});

test("a token of a round without a draft, and every one of plain decoding, is the target's own and no bonus", () => {
  const run = comparedRun(traceOf(["aaa", "", "rdd"]));
  expect(run.rounds.map(({ closing }) => closing?.how)).toEqual(["bonus", "own", "corrected"]);
  expect(new Set(run.plain.rounds.map(({ closing }) => closing?.how))).toEqual(new Set(["own"]));
  expect(summaryOf(run, GIVEN.looks, 1)).toBe("Round 2: nothing drafted, target's own token: ·w9.");
  const why = "Nothing was drafted: one pass, one token, the target's own. It is the target's most likely token there.";
  expect(closingReason(run, run.rounds[1])).toBe(why);
});
