// Why a token was accepted or rejected, for every rule.

import { expect, test } from "vitest";
import { EXACT } from "../shared/drafter_text.ts";
import type { Rule, Settings } from "../shared/json_types.ts";
import type { Run } from "../shared/run_types.ts";
import { CASES, runOf, traceOf } from "../testing/runs.ts";
import { candidatesOf, closingReason, reasonOf } from "./reasons_text.ts";

const reasons = (run: Run) =>
  run.rounds.map((round) => [...round.drafted.map((_, i) => reasonOf(run, round, i)), closingReason(run, round)]);
const drawn = (letters: string[], settings: Partial<Settings> & { parents?: number[] } = {}) =>
  runOf([traceOf(letters, { temperature: 0.8, ...settings })]);

const ACCEPTED = "Probability of acceptance 90%. Random number 0.300 is smaller: accepted.";

test("by the exact rule: the share of draws, the draw itself, and in a tree what earlier guesses have left of p", () => {
  expect(reasons(drawn(["ar", "aa"]))).toEqual([
    [
      ACCEPTED,
      "Probability of acceptance 20%. Random number 0.700 is larger: rejected.",
      "Drawn from the tokens that the target rates higher than the draft does, with random number 0.250.",
    ],
    [
      ACCEPTED,
      ACCEPTED,
      "All guesses were accepted, and the same pass already scores the next position. It was drawn from p, with random number 0.250.",
    ],
  ]);
  const tree = reasons(drawn(["ra"], { parents: [-1, -1], drafter: "tree" }))[0];
  const left = "p is what is left after the earlier guesses for this position were rejected.";
  expect(tree[1].startsWith(`${left} Probability of acceptance 90%.`)).toBe(true);
});

test("the lenient rule names its lenience", () => {
  const lenient = (letters: string, lenience: number) => reasons(drawn([letters], { rule: "lenient", lenience }))[0][0];
  expect(lenient("r", 0.4)).toBe(
    "LOSSY, the lenient rule requires only 0.4 of q. Probability of acceptance 50%. Random number 0.700 is larger: rejected.",
  );
  const sure = "LOSSY, the lenient rule requires only 0.2 of q. p is at least that: always accepted.";
  expect(lenient("a", 0.2)).toBe(sure); // it may still be less than q
});

test("a block is judged from its end, so every guess says what it was compared with; neither exact rule is called lossy", () => {
  const run = drawn(["aar"], { rule: "block" });
  const bounds = [
    [0.4, 0.9],
    [0.8, 0.3],
    [0.1, 0.6],
  ];
  const drafted = run.rounds[0].drafted.map((token, i) => ({ ...token, bound: bounds[i][0], draw: bounds[i][1] }));
  const reason = reasons({ ...run, rounds: [{ ...run.rounds[0], drafted }] })[0];
  expect(reason[0]).toBe(
    "The prefix that ends here does not pass alone (random number 0.900 against h = 0.400), but a longer one does: kept with it.",
  );
  expect(reason[1]).toBe("The prefix that ends here passes: random number 0.300 against h = 0.800. Accepted.");
  expect(reason[2]).toMatch(/No longer one does\. Rejected with the block\.$/);
  expect(reason[3]).toContain("max(0, w·p − q)");
  expect(EXACT).toEqual(CASES.exact_rules);
  for (const rule of EXACT as Rule[]) expect(drawn(["ar"], { rule }).drafterText.lossy).toBe("");
});

test("an id that the draft cannot write has its q of 0 and no logit, whatever lowest number of a format stands for that", () => {
  for (const lowest of [-3.4028234663852886e38, -3.39e38, -65504, -6.55e4]) {
    const run = runOf([traceOf(["r"])]);
    const top = { tokens: [7, 3], logits: [2, lowest], probabilities: [1, 0], rule: [1, 0] };
    const drafted = { ...run.rounds[0].drafted[0], draft_top: top, target_top: { ...top, logits: [1, 2] } };
    const rows = candidatesOf(run, drafted, true).map(({ token, q, qLogit }) => [token, q, qLogit]);
    expect(new Set(rows)).toEqual(
      new Set([
        [7, 1, 2],
        [3, 0, null],
      ]),
    );
  }
});

test("with shared noise the noise decides, and the probabilities are said to be without it", () => {
  const run = drawn(["ar"], { shared_noise: true });
  const drafted = run.rounds[0].drafted.map((token) => ({ ...token, draw: null }));
  const [accepted, rejected, closing] = reasons({ ...run, rounds: [{ ...run.rounds[0], drafted }] })[0];
  expect(accepted).toMatch(/^The noise decided: with it this is the target's choice too\. Accepted\./);
  expect(rejected).toMatch(/^The noise decided: with it the target's choice is “·w9”\. Rejected\./);
  expect(closing).toBe("The target's own choice with the noise of this position replaces the rejected token.");
});
