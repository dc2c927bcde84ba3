// What the stage says of a moment, for every way of drafting and judging.

import { expect, test } from "vitest";
import { NOT_DRAFTING } from "../shared/drafter_text.ts";
import type { View } from "../shared/json_types.ts";
import { NOWHERE, PHASES } from "../shared/phases.ts";
import { readRun } from "../shared/read_recording.ts";
import type { Run } from "../shared/run_types.ts";
import { CASES, comparedRun, GIVEN, liveOf, plainOf, runOf, TREE, traceOf, viewOf } from "../testing/runs.ts";
import { positionAt } from "./position.ts";
import { closingReason } from "./reasons_text.ts";
import { clockOf, endOf, schedule } from "./schedule.ts";
import { captionOf, explanationOf, noteOf, summaryOf } from "./stage_text.ts";

/** The sentence at the end of every phase of a round. */
function captions(run: Run, index = 0) {
  const plan = schedule(run, "lesson");
  const ends = [...PHASES.slice(1).map((next) => clockOf(plan, index, next)), endOf(plan, index)];
  return ends.map((end) => captionOf(run, positionAt(run, plan, end - 1e-6)));
}

function endingOf(run: Run) {
  const plan = schedule(run, "lesson");
  return captionOf(run, positionAt(run, plan, plan.end));
}

/** What is said of each slot that is pointed at, and of the closing token, at the end of a run. */
function explanations(run: Run) {
  const plan = schedule(run, "lesson");
  const end = positionAt(run, plan, plan.end);
  return [...run.rounds[end.index].drafted.keys(), "closing" as const].map((slot) => explanationOf(run, end, slot));
}

test("every phase of a chain has its sentence, in a round that ends at a rejection, in one that does not, and without drafts", () => {
  const trace = traceOf(["ard", "aaa", ""]);
  const run = comparedRun(trace);
  const drafting = GIVEN.drafters.model.drafting.replace("{next}", "the next 3 tokens");
  const verifying = "One pass of the target model reads all 3 and scores every position.";
  expect(captions(run)).toEqual([
    drafting,
    verifying,
    "The target rejects “·w2”: the guess after it is thrown away.",
    "The target writes its own “·w9” instead of “·w2”.",
  ]);
  expect(captions(run, 1)).toEqual([
    drafting,
    verifying,
    "From left to right: would the target have written this too?",
    "All 3 accepted: the same pass gives “·w9” as a bonus.",
  ]);
  const reads = "The target model reads the last token.";
  expect(captions(run, 2).slice(1)).toEqual([reads, reads, "The target writes “·w9”."]);
  expect(endingOf(run)).toBe("The requested length is reached. Plain decoding wrote the same, token for token.");
  expect(noteOf(run, viewOf([trace]))).toBe("");
});

test("a tree has sentences of its own: from the root down, a path that ends before a leaf, guesses rejected side by side", () => {
  const captionFor = (letters: string, parents: number[]) =>
    captions(comparedRun(traceOf([letters], { parents, drafter: "tree", label: "tree of drafts" }))).slice(2);
  expect(captionFor("arad", TREE)).toEqual([
    "From the root down: which of these would the target have written?",
    "The accepted path of 2 ends here: the same pass gives “·w9” as a bonus.",
  ]);
  expect(captionFor("rr", [-1, -1])).toEqual([
    "The target rejects “·w2” too: none of the 2 guesses there is right.",
    "None of the 2 guesses there was right: the target writes its own “·w9” instead.",
  ]);
});

test("the end names where plain decoding differs, the gap of the two highest logits there and the number format; next to no gap is a tie", () => {
  const trace = traceOf(["aaa", "aaa"]);
  const plain = plainOf(trace);
  const endedWith = (other: number) => {
    const top = { tokens: [5, 3], logits: [2.5, other], probabilities: [0.5, 0.4], rule: [1, 0] };
    const closing = { token: 5, how: "bonus", draw: null, residual_top: top } as const;
    return endingOf(runOf([trace, { ...plain, rounds: plain.rounds.with(2, { ...plain.rounds[2], closing }) }]));
  };
  expect(endedWith(2.4)).toBe(
    "The requested length is reached. Plain decoding differs at token 3, where its two highest logits are 0.1000 apart: " +
      "float32 rounds differently for one token than for several.",
  );
  expect(endedWith(2.4998)).toBe(
    "The requested length is reached. A tie at token 3: the target's two highest logits are 0.0002 apart there, less than " +
      "what float32 rounds away. Both texts are the target's own.",
  );
});

test("a lossy end claims neither the plain text nor its distribution", () => {
  expect(endingOf(comparedRun(traceOf(["aaa"], { temperature: 0.8, rule: "lenient", lenience: 0.3 })))).toBe(
    "The requested length is reached. LOSSY: lenient rule, lenience 0.3: it is not the text of the target alone, nor drawn " +
      "from its distribution.",
  );
});

test("what is pointed at is explained: q, p, the draw and the verdict of a slot in one sentence", () => {
  expect(explanations(runOf([traceOf(["ar"])]))).toEqual([
    "“·w1”: draft q = 0.600, target p = 0.100 (at temperature 1), the target's most likely token: accepted.",
    "“·w2”: draft q = 0.600, target p = 0.100 (at temperature 1), not the target's most likely token: rejected.",
    "The target's own most likely token replaces the rejected token.",
  ]);
  expect(explanations(runOf([traceOf(["rd"], { temperature: 0.8 })]))).toEqual([
    "“·w1”: draft q = 0.500, target p = 0.100, probability of acceptance 20%. Random number 0.700 is larger: rejected.",
    "“·w2”: draft q = 0.500, target p = 0.100, never checked: thrown away.",
    "Drawn from the tokens that the target rates higher than the draft does, with random number 0.250.",
  ]);
  expect(explanations(runOf([traceOf(["a"], { drafter: "ngram", label: "n-gram lookup", source: 0 })]))).toEqual([
    "“·w1”: copied, q = 1, target p = 0.100 (at temperature 1), the target's most likely token: accepted.",
    "All guesses were accepted, and the same pass already scores the next position. It is the target's most likely token there.",
  ]);
});

test("the note says what is waited for, then where a recording comes from and what to look for", () => {
  const note = (view: View) => noteOf(readRun(view, GIVEN), view);
  for (const [view, says] of [
    [{ status: "queued", queue_position: 2 }, "Waiting in line: 2 before you …"],
    [{ status: "loading", what: "reading weights" }, "Getting the models ready: reading weights …"],
    [{ status: "running" }, "Reading the prompt …"],
    [{ status: "cancelled" }, "Press Run to watch two models write."],
  ] as [View, string][])
    expect(note({ ...view, id: "x" })).toBe(says);
  const opened = viewOf([traceOf(["a"])], { status: "opened", origin: "Opened from a.json" });
  expect(note(opened)).toBe("Opened from a.json. Press Run for one of your own.");
  const looked = note({ ...opened, look_for: "Two guesses are rejected." });
  expect(looked).toMatch(/^Opened from a\.json\. Two guesses are rejected\. Press/);
});

test("a round in which drafting does not pay says so everywhere, in Python's words; one without drafts for another reason does not", () => {
  const trace = traceOf(["ard", "", ""], { drafter: "ngram", label: "n-gram lookup" });
  const resting = { ...trace, rounds: trace.rounds.with(1, { ...trace.rounds[1], allowed: 0 }) };
  expect(NOT_DRAFTING).toBe(CASES.words.notDrafting);
  for (const run of [comparedRun(resting), readRun({ id: "x", status: "running", live: liveOf(resting) }, GIVEN)]) {
    expect(captions(run, 1)[1]).toBe(`${NOT_DRAFTING} The target model reads the last token.`);
    expect(captions(run, 2).join(" ")).not.toContain(NOT_DRAFTING);
  }
  const run = runOf([resting]);
  expect(captionOf(run, { ...NOWHERE, index: 1, phase: "draft" })).toBe(NOT_DRAFTING);
  expect(closingReason(run, run.rounds[1]).slice(0, NOT_DRAFTING.length)).toBe(NOT_DRAFTING);
  expect(closingReason(run, run.rounds[2])).not.toContain(NOT_DRAFTING);
  expect(summaryOf(run, GIVEN.looks, 1)).toContain("not drafting, because guesses cost more than they bring here");
});
