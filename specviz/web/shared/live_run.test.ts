// That a browser puts together what the server has is tested with the server: tests/web/test_live_run.py.

import { afterEach, expect, test, vi } from "vitest";
import type { View } from "./json_types.ts";
import type { LiveEvents, LiveState } from "./live_events.ts";
import { LiveRun, readerOf } from "./live_run.ts";

afterEach(() => vi.unstubAllGlobals());

test("where a page's last run comes from, who follows the first run does not show the second", () => {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => draw());
  const stateOf = (id: string, over: boolean): LiveState => ({ slots: { run: { id } }, logs: {}, over });
  const events = { known: stateOf("first", false) } as LiveEvents;
  const heard: string[] = [];
  new LiveRun(
    { id: "first" } as View,
    { show: ({ id }) => heard.push(id), over: () => heard.push("over"), read: readerOf() },
    events,
  );
  events.tell(stateOf("second", true));
  events.tell(stateOf("first", true));
  expect(heard).toEqual(["first", "first", "over"]);
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
  const views: View[] = [];
  const run = new LiveRun({ id: "over", recorded_at: "/" } as View, {
    show: (view) => views.push(view),
    over: () => {},
    read: readerOf(),
  });
  run.draw();
  await vi.advanceTimersByTimeAsync(10_000);
  run.draw();
  expect(views.map(({ recording }) => Boolean(recording))).toEqual([true, true]);
  vi.useRealTimers();
});
