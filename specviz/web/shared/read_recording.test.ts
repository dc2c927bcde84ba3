// What came from Python is read by name, and who drafts is said from the registry and the card.

import { expect, test } from "vitest";
import { GIVEN, liveOf, MIXED, plainOf, runOf, traceOf, viewOf } from "../testing/runs.ts";
import { draftingOf, verifyingOf } from "./drafter_text.ts";
import { readRun } from "./read_recording.ts";

test("text, times and totals of a live run are those of its recording", () => {
  const trace = traceOf(MIXED);
  const live = readRun({ id: "lab", status: "running", live: liveOf(trace, { plain: 4 }) }, GIVEN);
  const recorded = runOf([trace, plainOf(trace)]);
  for (const name of ["id", "prompt", "promptIds", "ids", "totals", "k", "drafterText", "branching", "ends"] as const)
    expect(live[name], name).toEqual(recorded[name]);
  expect([live.plain.done, recorded.plain.done]).toEqual([false, true]);
  expect([live.plain.ids, recorded.plain.ids]).toEqual([recorded.ids.slice(0, 4), recorded.ids]);
  expect(recorded.ids).toEqual([1, 2, 3, 9, 1, 9, 9, 1, 2, 9]);
});

test("a run is complete once its speculative lane has ended or plain rounds come: no round of it will come", () => {
  const complete = (more: object) =>
    readRun({ id: "x", status: "running", live: liveOf(traceOf(MIXED), more) }, GIVEN).complete;
  expect([{}, { ended: { speculative: "length" } }, { plain: 1 }].map(complete)).toEqual([false, true, true]);
});

test("names, sentences and pictures are the registry's; counts of layers are the card's, and left out where it has none", () => {
  const words = { does: "the first {of}layers", verifying: "The other {rest}layers read {all}." };
  const context = { ...GIVEN, drafters: { "early-exit": { ...GIVEN.drafters["early-exit"], ...words } } };
  for (const [layers, of, known] of [
    [undefined, 12, false],
    [[0, 1, 2, 3], 12, true],
    [[0, 1], 2, false],
  ] as const) {
    const trace = traceOf(MIXED, { drafter: "early-exit", layers: layers && [...layers], of });
    const { drafterText } = readRun(viewOf([trace]), context);
    expect(drafterText.does).toBe(known ? "the first 4 of 12 layers" : "the first layers");
    expect(drafterText.layers).toEqual(known ? { used: layers, of } : null);
    expect(verifyingOf(drafterText, 5)).toBe(known ? "The other 8 layers read all 5." : "The other layers read all 5.");
  }
  for (const [drafter, { label, picture, shape }] of Object.entries(GIVEN.drafters)) {
    const { drafterText } = runOf([traceOf(MIXED, { drafter, label })]);
    expect(drafterText.who.toLowerCase()).toBe(label.toLowerCase());
    expect(drafterText).toMatchObject({ picture, shape });
  }
});

test("a drafter that the registry does not know, such as a student's own, is a chain with its own label and plain sentences", () => {
  for (const drafter of ["mine", "constructor", "__proto__"]) {
    const { drafterText } = runOf([traceOf(MIXED, { drafter, label: "my own drafter" })]);
    expect(drafterText).toMatchObject({ who: "My own drafter", shape: "chain", picture: "model" });
    expect(draftingOf(drafterText, 3)).toBe("My own drafter drafts the next 3 tokens.");
  }
  const { drafterText } = runOf([traceOf(["", ""], { drafter: "none", label: "none" })]);
  expect([drafterText.who, drafterText.checks]).toEqual(["No drafter", "writes one token in each pass"]);
});
