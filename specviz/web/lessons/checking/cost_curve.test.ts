// The curves of v(n): what is drawn and said follows from the recorded figures by sums that a reader can repeat.

import { expect, test } from "vitest";
import { CASES } from "../../testing/runs.ts";
import type { CostPicture, CostSource, RecordedCosts } from "../lesson_types.ts";
import { bendOf, bendWords, type CostCurve, costParts, curveOf, curvesOf, nearestPoint } from "./cost_curve.ts";

const MACHINE = { recorded: "a machine", target: "a model", device: "cpu", dtype: "float32", processor: "" };
const SOURCE: CostSource = { ...MACHINE, measured_at: "now", context: 64 };

function said(source: CostSource, curve: CostCurve, index: number) {
  const parts = costParts(source, curve, index);
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

test("a curve bends where one more token begins to cost half of a one-token pass, and goes on so; one slow pass bends nothing", () => {
  for (const [written, bend] of Object.entries({
    "1 1, 2 1.1, 4 1.2, 8 1.6": null,
    "1 1, 2 1.1, 4 1.2, 8 3.6, 16 8.6": 4,
    "1 1, 2 1.1, 4 1.2, 8 3.6, 16 2.4": null,
    "1 1, 2 1.6, 4 1.7, 8 1.9": null,
    "1 1, 2 1.7, 4 3.1": 1,
    "1 1, 2 1.4, 3 1.9": 2,
  })) {
    const costs = written.split(", ").map((point) => point.split(" ").map(Number));
    const curve = costs.map(([tokens, v]) => ({ tokens, pass_s: v / 100, v, low: v, high: v }));
    expect(bendOf(curve)).toBe(bend);
    expect(bendWords(curve).includes("costs more than half")).toBe(bend !== null);
  }
});

test("the sentence of v has one pass over n tokens, n passes over one and the ratio of the two times, each with how it was measured", () => {
  const points = curveOf([1, 6].map((tokens, i) => ({ tokens, pass_s: [0.0045, 0.0091][i] })));
  const alone = { name: "", points };
  const six = "One pass over 6 tokens: 9.1 ms. 6 passes over one token: 27.0 ms. v(6) = 2.02.";
  expect(said(SOURCE, alone, 1)).toBe(six);
  expect(said(SOURCE, alone, 0)).toMatch(/v\(1\) = 1\.$/);
  expect(costParts(SOURCE, alone, 1)[1]).toHaveProperty(
    "how",
    "The median of several passes over 6 tokens. Measured on a machine: a model, float32, cpu, now. " +
      "Each text had 64 tokens before the pass.",
  );
  expect(said(SOURCE, { name: "4 guests", guests: 4, points }, 1)).toBe(
    "4 guests: one pass over 6 tokens for each takes 9.1 ms, over one for each 4.5 ms. v(6) = 2.02.",
  );
  expect(nearestPoint(points, 5)).toBe(1);
  const woken = points.map((point, i) => ({ ...point, experts: 2 + 4 * i }));
  const mixture = said({ ...SOURCE, experts: 32 } as CostSource, { name: "", points: woken }, 1);
  expect(mixture).toBe(`${six} It reads 6 of the 32 experts of every layer.`);
});

test("the pictures show the recorded figures: of one text, a mixture beside a dense model, and 1 to 64 guests", () => {
  const costs = CASES.costs as RecordedCosts;
  const curves = (["cost", "experts", "guests"] as CostPicture[]).map((picture) => curvesOf(picture, costs).curves);
  const [[cost], experts, guests] = curves;
  expect([experts.length, cost.points.at(-1)?.tokens]).toEqual([2, 64]);
  expect(guests.map(({ name }) => name)).toEqual(["1 guest", "4 guests", "16 guests", "64 guests"]);
  const last = guests.map(({ points }) => points[points.length - 1].v);
  expect(last).toEqual(last.toSorted((a, b) => a - b)); // more guests make a further token dearer
  const pass = (tokens: number) =>
    costs.guests.find((each) => each.guests === 64 && each.tokens === tokens)?.pass_s ?? 0;
  expect(last[3]).toBeCloseTo(pass(9) / pass(1));
  const later = curves.flat().flatMap(({ points }) => points.slice(1));
  for (const { tokens, v } of later) expect(v).toBeLessThan(tokens); // what a picture calls saved is saved
});
