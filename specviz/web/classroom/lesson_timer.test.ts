import { afterEach, expect, test, vi } from "vitest";
import { clockText, keptTimer, lateness, pressed, secondsOf, type Timer } from "./lesson_timer.ts";

afterEach(() => vi.unstubAllGlobals());

test("a timer that was started, halted and started again has the seconds in which it ran; whole seconds are shown", () => {
  const timer = [100, 160, 1000].reduce<Timer>(pressed, { counted: 0, since: null });
  expect(secondsOf(timer, 1005.5)).toBe(65.5);
  expect([65.5, 3599.9].map(clockText)).toEqual(["1:05", "59:59"]);
});

test("within the minutes of its part nothing is said, outside of them by how many; without a part, or not begun, nothing", () => {
  const part = { begins: 8, ends: 15 };
  const said = [5, 8, 14, 15, 17].map((minutes) => lateness(part, 60 * minutes + 1));
  expect(said).toEqual(["3 min early", "", "", "1 min late", "3 min late"]);
  expect([lateness(part, 0), lateness(undefined, 99)]).toEqual(["", ""]);
});

test("a timer that this browser kept goes on where it is of this lesson, and nothing else breaks it", () => {
  const kept = (text: string | null, now: number) => {
    vi.stubGlobal("localStorage", { getItem: () => text });
    return keptTimer(now);
  };
  const timer = { counted: 60, since: 900 };
  expect(kept(JSON.stringify(timer), 1000)).toEqual(timer);
  for (const text of [JSON.stringify(timer), "nonsense", null, '{"counted": -5, "since": null}'])
    expect(kept(text, 90_000)).toEqual({ counted: 0, since: null });
});
