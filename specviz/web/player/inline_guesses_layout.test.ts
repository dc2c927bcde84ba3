// What of a round stands in the line of the text at a moment.

import { expect, test } from "vitest";
import type { Phase } from "../shared/json_types.ts";
import { NOWHERE, PHASES } from "../shared/phases.ts";
import { runOf, traceOf } from "../testing/runs.ts";
import { guessesAt, inLine, noGuessWords } from "./inline_guesses_layout.ts";
import { positionAt } from "./position.ts";
import { clockOf, endOf, schedule } from "./schedule.ts";

/** The guesses of the first round after a share of a phase. */
function guesses(letters: string, phase: Phase, share: number) {
  const run = runOf([traceOf([letters])]);
  const plan = schedule(run, "lesson");
  const next = PHASES[PHASES.indexOf(phase) + 1];
  const [from, to] = [clockOf(plan, 0, phase), next ? clockOf(plan, 0, next) : endOf(plan, 0)];
  return guessesAt(run, run.rounds[0], positionAt(run, plan, from + share * (to - from)));
}

test("guesses stand at the caret one after the other; accepted ones are text, and at the wall the target's own token takes the place", () => {
  expect(guesses("ard", "draft", 0.4).kinds).toEqual(["typed", "", ""]);
  expect(guesses("ard", "draft", 0.99).kinds).toEqual(["typed", "typed", "typed"]);
  expect(guesses("ard", "verify", 0.5).kinds).toEqual(["typed", "typed", "typed"]);
  expect(guesses("ard", "judge", 0.99)).toEqual({
    kinds: ["accepted", "rejected", "discarded"],
    final: 1,
    replaced: -1,
  });
  expect(guesses("ard", "commit", 0.1)).toEqual({ kinds: ["", "", "discarded"], final: 0, replaced: 1 });
  expect(guesses("aaa", "commit", 0.1)).toMatchObject({ kinds: ["", "", ""], replaced: -1 });
});

test("the space before a word is outside of its chip; what a line would swallow is written out, and half a character says what it is", () => {
  const texts = { 1: " Thursday", 2: "\n", 3: " ", 4: [0xf0, 0x9f], 5: "\u202eevil" };
  const { bytes, rounds } = runOf([traceOf(["aaaaa"], { texts })]);
  expect(
    rounds[0].drafted.map(({ token }) => inLine(bytes, token)).map(({ lead, text, says }) => [lead, text, says]),
  ).toEqual([
    [" ", "Thursday", ""],
    ["", "⏎", ""],
    ["", "·", ""],
    ["", "F0 9F", "part of a character"],
    ["", "⟨202E⟩evil", ""],
  ]);
});

test("a round without guesses says so: where nothing matched, and where nothing was drafted for another reason", () => {
  const wordsIn = (run: ReturnType<typeof runOf>) => run.rounds.map((round) => noGuessWords(run, round, NOWHERE));
  const copied = traceOf(["", "aa"], { drafter: "ngram", label: "n-gram lookup", source: 0 });
  expect(wordsIn(runOf([copied]))).toEqual(["no match: nothing to copy", ""]);
  expect(wordsIn(runOf([traceOf([""])]))).toEqual(["nothing drafted"]);
});
