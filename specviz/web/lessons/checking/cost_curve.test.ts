// The curves of v(n): what is drawn and said follows from the recorded figures by sums that a reader can repeat.

import { expect, test } from "vitest";
import { CASES } from "../../testing/runs.ts";
import type { CostPicture, CostSource, RecordedCosts } from "../lesson_types.ts";
import { bendOf, bendWords, costParts, curveOf, curvesOf, nearestPoint } from "./cost_curve.ts";

const MACHINE = { recorded: "a machine", target: "a model", device: "cpu", dtype: "float32", processor: "" };
const SOURCE: CostSource = { ...MACHINE, measured_at: "now", context: 64 };

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

test("a figure says how it was measured, and a mixture how many experts a pass reads; what is said besides is in test_explorables.py", () => {
  const points = curveOf([1, 6].map((tokens, i) => ({ tokens, pass_s: [0.0045, 0.0091][i], experts: 2 + 4 * i })));
  const parts = costParts({ ...SOURCE, experts: 32 }, { name: "", points }, 1);
  expect(parts[1]).toMatchObject({
    text: "9.1 ms",
    how: "The median of several passes over 6 tokens. Measured on a machine: a model, float32, cpu, now. Each text had 64 tokens before the pass.",
  });
  expect(parts.at(-1)).toBe(" It reads 6 of the 32 experts of every layer.");
  expect(nearestPoint(points, 5)).toBe(1);
});

test("the pictures show the recorded figures: of one text, a mixture beside a dense model, and 1 to 64 guests", () => {
  const costs = CASES.costs as RecordedCosts;
  const curves = (["cost", "experts", "guests"] as CostPicture[]).map((picture) => curvesOf(picture, costs).curves);
  const [[cost], experts, guests] = curves;
  expect([experts.length, cost.points.at(-1)?.tokens]).toEqual([2, 64]);
  expect(guests.map(({ name }) => name)).toEqual(["1 guest", "4 guests", "16 guests", "64 guests"]);
  const last = guests.map(({ points }) => points[points.length - 1].v);
  expect(last).toEqual(last.toSorted((a, b) => a - b)); // more guests make a further token dearer
  const later = curves.flat().flatMap(({ points }) => points.slice(1));
  for (const { tokens, v } of later) expect(v).toBeLessThan(tokens); // what a picture calls saved is saved
});
