import { expect, test } from "vitest";
import { CASES, expectNear, seeded } from "../../testing/runs.ts";
import { timesWords } from "../pays/pays.ts";
import { bestLength, expectedSpeedup, LONGEST, tokensPerPass } from "./theory.ts";

test("tokens per pass and speedup are those of Python's formula, at the ends of alpha too; without drafts the speedup is 1", () => {
  for (const { alpha, k, c, v, tokens, speedup } of CASES.theory)
    expectNear([tokensPerPass(alpha, k), expectedSpeedup({ alpha, k, c, v })], [tokens, speedup], 12);
  expect(expectedSpeedup({ alpha: 0.5, c: 0.1, v: 2, k: 0 })).toBe(1);
});

test("no other length is faster than the best; where nothing pays it is 0, with a free and perfect draft the longest", () => {
  const random = seeded(10);
  for (let i = 0; i < 200; i += 1) {
    const letters = { alpha: random(), c: random(), v: 1 + random() };
    const speeds = Array.from({ length: LONGEST + 1 }, (_, k) => expectedSpeedup({ ...letters, k }));
    expect(speeds[bestLength(letters)]).toBeCloseTo(Math.max(...speeds), 9);
  }
  expect([bestLength({ alpha: 0.2, c: 0.5, v: 1 }), bestLength({ alpha: 1, c: 0, v: 1 })]).toEqual([0, 16]);
});

test("a speedup nearer to 1 than half a per cent is none", () => {
  const even = "as fast as plain decoding";
  expect([0.83, 1.001, 1.2].map((speed) => timesWords(speed).words)).toEqual([
    "slower than plain decoding",
    even,
    even,
  ]);
});
