import { expect, test } from "vitest";
import { RULE_NAMES } from "../rule/acceptance.ts";
import { AuditRun } from "./audit_run.ts";

test("over 100 seeds the exact rule is accused about as often as the limit promises, a wrong one nearly always once it can be seen", () => {
  const pairing = {
    tokens: [..."abcdef"],
    p: [0.42, 0.22, 0.16, 0.1, 0.06, 0.04],
    q: [0.2, 0.35, 0.1, 0.2, 0.1, 0.05],
  };
  const accused = RULE_NAMES.map(() => 0);
  for (let seed = 0; seed < 100; seed += 1) {
    const run = new AuditRun(pairing, 0.5, 100 * seed);
    run.advance(3000);
    for (const [i, name] of RULE_NAMES.entries()) accused[i] += Number(run.findingOf(name, 3000)?.noticed);
  }
  const run = new AuditRun(pairing, 0.5, 0);
  const [exact, ...wrong] = RULE_NAMES.map((name) => run.biasOf(name).needs);
  expect(accused[0]).toBeLessThanOrEqual(5);
  expect(exact).toBeNull();
  expect(Math.min(...accused.slice(1))).toBeGreaterThan(95);
  for (const needs of wrong) expect(needs).toBeLessThan(1500);
});
