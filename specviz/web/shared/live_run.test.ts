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
