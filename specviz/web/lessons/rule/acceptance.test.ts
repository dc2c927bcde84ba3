// The rule in the reader's hands is the engine's own rule, and its figures are those of the papers.

import { expect, test } from "vitest";
import { CASES, expectNear, seeded } from "../../testing/runs.ts";
import { acceptsWords, faithful, longRunOf, procedureOf, RULE_NAMES } from "./acceptance.ts";
import { atTemperature, normalised, tokenAt, withShare } from "./sampling.ts";

/** p and q over two to eight tokens with the engine's verdicts on drafted tokens at random numbers. */
type JudgedToken = {
  p: number[];
  q: number[];
  draws: [token: number, u: number, accepted: boolean][];
  after: number[];
};

const JUDGED = (CASES.rule.judged as JudgedToken[]).map(({ p, q, ...verdicts }) => {
  return { ...verdicts, p: normalised(p), q: normalised(q) };
});

test("the engine accepts and rejects as the rule does, just below and just above its bound too, and has its residual", () => {
  for (const { p, q, draws, after } of JUDGED) {
    const procedure = procedureOf("exact", p, q);
    for (const [token, u, accepted] of draws) expect(u < procedure.accept[token]).toBe(accepted);
    procedure.accept.forEach((bound, i) => void (q[i] > 0 && expect(bound).toBeCloseTo(Math.min(1, p[i] / q[i]), 9)));
    expectNear(procedure.after, after);
    expect(procedure.drawn).toBe(q);
  }
});

test("the exact rule gives p in the long run, each wrong one another distribution; with q at its own temperature the last is exact", () => {
  const missed = RULE_NAMES.map(() => 0);
  for (const { p, q } of JUDGED) {
    RULE_NAMES.forEach((name, i) => {
      const emitted = longRunOf(procedureOf(name, p, q, 0.5));
      expect(emitted.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
      if (name === "exact") expectNear(emitted, p, 12);
      missed[i] += Number(Math.max(...emitted.map((share, j) => Math.abs(share - p[j]))) > 1e-9);
    });
  }
  expect(missed[0]).toBe(0);
  for (const count of missed.slice(1)) expect(count / JUDGED.length).toBeGreaterThan(2 / 3);
  expectNear(longRunOf(procedureOf("other-q", JUDGED[0].p, JUDGED[0].q, 1)), JUDGED[0].p, 12);
  expect([0, 1e-12, 0.01].map((distance) => faithful(distance).state)).toEqual(["accepted", "accepted", "rejected"]);
  const p = [0.5, 0.3, 0.2];
  expect(acceptsWords({ tokens: [], p, q: p })).toMatch(/Σ min\(p, q\) = 1\.00; .* Σ p·q = 0\.38\.$/);
});

test("q at another temperature is what the engine's warp gives for the logits log q", () => {
  for (const { q, temperature, warped } of CASES.rule.warped)
    expectNear(atTemperature(normalised(q), temperature), warped);
});

test("a uniform number chooses the engine's token, at the ends and at every border of the cumulative sums", () => {
  for (const { p, numbers, tokens } of CASES.rule.chosen)
    expect(numbers.map((u: number) => tokenAt(normalised(p), u))).toEqual(tokens);
  expect([0, 0.4999, 0.5, 0.75].map((u) => tokenAt([0, 0.5, 0, 0.25, 0.25, 0], u))).toEqual([1, 1, 3, 4]);
});

test("a dragged bar has the value asked for, the sum stays 1, and the others keep their proportions, also from one-hot and back", () => {
  const random = seeded(7);
  for (const { p } of JUDGED) {
    const index = Math.floor(random() * p.length);
    for (const value of [0, 1, random()]) {
      const moved = withShare(p, index, value);
      expect(moved[index]).toBe(value);
      expect(moved.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
      const rest = 1 - p[index];
      const others = (shares: number[]) => shares.toSpliced(index, 1);
      if (rest > 1e-12)
        expectNear(
          others(moved),
          others(p).map((share) => (share / rest) * (1 - value)),
        );
    }
  }
  expectNear(withShare([0, 1, 0], 1, 0.4), [0.3, 0.4, 0.3]);
  expect(withShare([0.2, 0.8], 0, -3)).toEqual([0, 1]);
});
