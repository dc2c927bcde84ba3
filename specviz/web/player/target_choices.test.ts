// What the target would have written in each slot, as far as the round shows it.

import { expect, test } from "vitest";
import type { Recording, Trace } from "../shared/json_types.ts";
import { CASES, RECORDED, runOf, TREE, traceOf } from "../testing/runs.ts";
import { choiceAt } from "./target_choices.ts";

function choicesOf(...traces: Trace[]) {
  const run = runOf(traces);
  return run.rounds.map((round) => round.drafted.map((_, i) => choiceAt(run, round, i)));
}

/** The tokens of each round, in a row; a question mark where nothing is known. */
const tokensOf = (...traces: Trace[]) =>
  choicesOf(...traces).map((round) => round.map((choice) => choice?.token ?? "?").join(""));

/** Without alternatives, as the audience of a room has it. */
function bare(trace: Trace): Trace {
  const rounds = trace.rounds.map((round) => ({
    ...round,
    drafted: round.drafted.map(({ draft_top: _, target_top: __, ...drafted }) => drafted),
  }));
  return { ...trace, rounds };
}

test("at temperature 0 every slot has the first choice: the draft's own, at the wall the target's, after it the recorded one", () => {
  expect(tokensOf(traceOf(["aaa", "ard", "rdd"]))).toEqual(["123", "199", "999"]);
  expect(choicesOf(traceOf(["rd"]))[0][0]).toEqual({ token: 9, word: "most likely", share: null });
});

test("without alternatives only the verdicts speak: nothing is known after the wall, nor where a number decided", () => {
  expect(tokensOf(bare(traceOf(["aaa", "ard", "rdd"])))).toEqual(["123", "19?", "9??"]);
  expect(tokensOf(bare(traceOf(["ard"], { temperature: 0.8 })))).toEqual(["???"]);
});

test("above temperature 0 the most likely token is shown as that, with its probability in the rule", () => {
  for (const rule of ["exact", "lenient"] as const) {
    const likeliest = { token: 9, word: "most likely", share: 0.8 };
    expect(choicesOf(traceOf(["ard"], { temperature: 0.8, rule }))[0]).toEqual([likeliest, likeliest, likeliest]);
  }
});

test("with shared noise the target has one choice again, which is called that", () => {
  const choices = choicesOf(traceOf(["ard"], { temperature: 0.8, shared_noise: true }))[0];
  expect(choices.map((choice) => choice?.token)).toEqual([1, 9, 9]);
  for (const choice of choices) expect(choice?.word).toBe("choice with the noise");
});

test("siblings of a tree share one choice; what rejected ones left of p is not given out for the target's own p", () => {
  const parents = [-1, 0, -1, -1];
  expect(tokensOf(bare(traceOf(["rdra"], { parents })))).toEqual(["4?44"]);
  expect(tokensOf(bare(traceOf(["arad"], { parents: TREE })))).toEqual(["1331"]);
  const drawn = choicesOf(traceOf(["rdra"], { parents, temperature: 0.8 }))[0];
  expect(drawn.map((choice) => choice?.share)).toEqual([0.8, 0.8, null, null]);
});

test("where a saved page kept the drafted token alone it does not stand for the target's most likely one", () => {
  const [drawn, greedy] = CASES.thinned.map(({ traces }: Recording) => tokensOf(...traces));
  expect([drawn, greedy]).toEqual([["???"], ["19?"]]);
});

test("in recorded runs at temperature 0 a judged draft was accepted exactly where it is the target's choice, and every slot has one", () => {
  for (const traces of Object.values(RECORDED)) {
    const { rounds, settings } = traces[0];
    choicesOf(...traces).forEach((choices, index) => {
      rounds[index].drafted.forEach(({ token, verdict, target_top: top }, i) => {
        expect(choices[i]).not.toBeNull();
        if (settings.temperature !== 0) return;
        if (verdict !== "discarded") expect(choices[i]?.token === token).toBe(verdict === "accepted");
        else if (top && new Set(top.tokens).size > 1) expect(choices[i]?.token).toBe(top.tokens[0]);
      });
    });
  }
});
