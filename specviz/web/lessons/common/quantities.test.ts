import { expect, test } from "vitest";
import { bytesWords, timeWords } from "./quantities.ts";

test("quantities have at most three digits and a unit, and none rounds into another unit", () => {
  const times = ["2.5 µs", "0.41 ms", "9.1 ms", "27.0 ms", "99.9 ms", "120 ms", "1.00 s", "1.50 s"];
  expect([2.5e-6, 0.00041, 0.0091, 0.027, 0.0999, 0.12, 0.9999, 1.5].map(timeWords)).toEqual(times);
  expect([538e6, 9.7e9, 24.2e9].map(bytesWords)).toEqual(["538 MB", "9.7 GB", "24.2 GB"]);
});
