// That a browser puts together what the server has is tested with the server: tests/web/test_live_run.py.

import { afterEach, expect, test, vi } from "vitest";
import type { View } from "./json_types.ts";
import type { LiveEvents, LiveState } from "./live_events.ts";
import { LiveRun } from "./live_run.ts";

afterEach(() => vi.unstubAllGlobals());

test("where a page's last run comes from, who follows the first run does not show the second", () => {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => draw());
  const known = (id: string, over: boolean): LiveState => ({ slots: { run: { id } }, logs: {}, over });
  const events = { known: known("first", false) } as LiveEvents;
  const shown: string[] = [];
  new LiveRun({ id: "first" } as View, { show: ({ id }) => shown.push(id), over: () => shown.push("over") }, events);
  events.tell(known("second", true));
  events.tell(known("first", true));
  expect(shown).toEqual(["first", "first", "over"]);
});

test("a page that is rendered while the recording is on its way shows nothing yet, and a lost answer is asked for again", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => draw());
  const answers = [
    Promise.reject(new Error("lost")),
    { ok: false, status: 503 },
    { ok: true, json: async () => ({ traces: [] }) },
  ];
  vi.stubGlobal("fetch", async () => answers.shift());
  const shown: View[] = [];
  const run = new LiveRun({ id: "over", recorded_at: "/" } as View, {
    show: (view) => shown.push(view),
    over: () => {},
  });
  run.draw();
  await vi.advanceTimersByTimeAsync(10_000);
  run.draw();
  expect(shown.map(({ recording }) => Boolean(recording))).toEqual([true, true]);
  vi.useRealTimers();
});
