// Rush hour, from the table that ships: the story that the chapter tells is the table's.

import { expect, test } from "vitest";
import type { RecordedCosts, RunDot } from "../lesson_types.ts";
import { clockOfArrival, GUESTS, RushTable, rushEnd, rushSceneAt } from "./rush_scene.ts";

type RecordedFile = { guests: { points: RecordedCosts["guests"]; draft_points: RecordedCosts["guest_drafts"] } };

const files = import.meta.glob<RecordedFile>("/assets/recorded-costs.json", { eager: true, import: "default" });
const [{ guests }] = Object.values(files);
const costs = { guests: guests.points, guest_drafts: guests.draft_points } as RecordedCosts;
const table = new RushTable(costs, [{ alpha: 0.95 }, { alpha: 0.55 }] as RunDot[]);

test("with every guest the spare arithmetic shrinks and the speedup sinks, from 2 to below 1; no draft gives 1, routing more", () => {
  const speeds = GUESTS.map((n) => table.costOf(n, "all").speedup);
  const spare = GUESTS.map((n) => table.spareOf(n, "all"));
  for (const fall of [speeds, spare]) expect(fall).toEqual([...fall].sort((a, b) => b - a));
  expect([speeds[0] > 1.9, speeds[6] < 1, spare[0] > 0.7, spare[6] < 0.15]).toEqual([true, true, true, true]);
  const [none, some] = [table.costOf(64, "none").speedup, table.costOf(64, "some").speedup];
  expect([none, some > 1.05]).toEqual([1, true]);
  const [allSpare, someSpare, noneSpare] = (["all", "some", "none"] as const).map((who) => table.spareOf(64, who));
  expect([noneSpare > 0.4, noneSpare > someSpare, someSpare > allSpare]).toEqual([true, true, true]);
});

test("guests arrive one number after the other; a full server changes after it was seen", () => {
  expect(GUESTS.map((_, i) => rushSceneAt("rush hour", clockOfArrival(i)).guests)).toEqual(GUESTS);
  expect(rushSceneAt("rush hour", 0).share).toBe(0);
  expect(rushSceneAt("routing", 0)).toMatchObject({ guests: 64, drafting: "all", ended: false });
  expect(rushSceneAt("routing", rushEnd("routing"))).toMatchObject({ drafting: "some", share: 1, ended: true });
  expect(rushSceneAt("switched off", 99).drafting).toBe("none");
});
