// What the card at the end of a run says, with its cause, its suggestion and its ledger.

import { expect, test } from "vitest";
import type { Trace, View } from "../shared/json_types.ts";
import { ledgerOf, mean } from "../shared/ledger.ts";
import type { Run } from "../shared/run_types.ts";
import { CASES, comparedRun, expectNear, GIVEN, RECORDED, runOf, traceOf } from "../testing/runs.ts";
import { endWordsOf, firstTimeOf, spokenOf } from "./end_card_text.ts";
import { causeOf } from "./end_cause.ts";

const [RIGHT, LOST] = [Array(8).fill("aaaaa"), Array(12).fill("rdddd")];
const WRONG = Array(6).fill(["rdddd", "arddd"]).flat();

function wordsOf(run: Run, able: string[] = []) {
  return { ...endWordsOf(run, { able, drafters: GIVEN.drafters }), reason: causeOf(run).reason };
}

/** The same run with rounds of these seconds; a plain token takes 6 ms, 5.5 of them in the pass. */
function timed(trace: Trace, { draft = 0.001, verify = 0.0056, rest = 0.0004 } = {}): Trace {
  const long = draft + verify + rest;
  const times = (i: number) => ({ began_s: i * long, draft_s: draft, verify_s: verify, ended_s: (i + 1) * long });
  return { ...trace, rounds: trace.rounds.map((round, i) => ({ ...round, ...times(i) })) };
}

const endOf = (trace: Trace, able: string[] = [], more: Partial<View> = {}) => wordsOf(comparedRun(trace, more), able);

test("passes, tokens, guesses and the speedup are those of the metrics, and the ledger adds up to the speedup", () => {
  for (const [name, [speculative, plain]] of Object.entries(RECORDED)) {
    const run = runOf([speculative, plain]);
    const { exact, near } = CASES.figures[name];
    const words = wordsOf(run);
    expect(words.passes).toBe(`${exact.passes} passes instead of ${exact.tokens}`);
    expect(words.drafted.split(" ")[0]).toBe(String(exact.accepted));
    expect(words.draftedHow).toContain(`of those checked: ${Math.round((100 * exact.accepted) / exact.judged)}%`);
    expect(words.own.split(" ")[0]).toBe(String(exact.tokens - exact.accepted));
    expect(words.speedup.value).toBe(`${near.speedup.toFixed(2)}×`);
    expect(words.reason).toBe("paid");
    expect(words.cause).toMatch(new RegExp(`^${exact.accepted} of ${exact.judged} guesses were right`));
    expect(words.cause).toContain(`writes ${near.perPass.toFixed(1)} tokens`);
    const common = Math.min(run.ids.length, run.plain.ids.length);
    const [base, rounds] = [run.plain, run].map((side) => side.rounds.filter(({ start }) => start < common));
    const token = base[base.length - 1].ended_s / common;
    const [draft, verify] = [mean(rounds, ({ draft_s }) => draft_s), mean(rounds, ({ verify_s }) => verify_s)];
    const pass = base.reduce((sum, { verify_s }) => sum + verify_s, 0) / common;
    const ledger = ledgerOf(run);
    if (!ledger) throw new Error(name);
    const { tokens, drafting, verifying, rest, cost } = ledger;
    expectNear([tokens, drafting, verifying], [common / rounds.length, draft / token, (verify - pass) / token]);
    expectNear([tokens / (1 + drafting + verifying + rest), tokens / cost], [near.speedup, near.speedup]);
  }
});

test("a run that copied from the first answer says what the first time took", () => {
  const first = comparedRun(traceOf(Array(6).fill("aard")));
  const again = comparedRun(traceOf(Array(3).fill("aaaa")));
  again.rounds = again.rounds.map((round) => ({ ...round, source: 0, source_text: 0 }));
  expect(firstTimeOf(again, wordsOf(again))).toBe("");
  expect(firstTimeOf(first, wordsOf(first))).toBe("");
  expect(firstTimeOf(again, wordsOf(again))).toMatch(/^The first time: 6 passes instead of \d+/);
});

test("a slowdown has one cause, with what a round brought and what it took", () => {
  const right = traceOf(Array(8).fill("aaard"));
  const short = traceOf(["rdd", "rdd", "aa"]);
  const idle = traceOf(Array(4).fill(["", "", "rdd"]).flat());
  const wrong = "12 of 18 guesses were wrong, and";
  for (const [trace, reason, said] of [
    [timed(traceOf(WRONG), { verify: 0.0099 }), "guesses", `${wrong} a pass over 6 tokens costs 1.8 of one here:`],
    [
      timed(traceOf(WRONG), { draft: 0.004 }),
      "guesses",
      `${wrong} drafting 5 tokens takes as long as 0.7 plain passes:`,
    ],
    [timed(right, { verify: 0.04 }), "passes", "A pass over 6 tokens costs 7.3 of one here"],
    [timed(right, { draft: 0.03 }), "drafts", "Drafting 5 tokens takes as long as 5.0 plain passes:"],
    [timed(right, { rest: 0.03 }), "rest", "What a round does beside its passes takes as long as"],
    [timed(short, { draft: 0.01 }), "short", "The text is short, and with 5 tokens in 3 passes"],
    [timed(idle, { verify: 0.007 }), "idle", "8 of 12 passes had no guess to check"],
  ] as [Trace, string, string][]) {
    const words = endOf(trace);
    expect([words.reason, words.mood]).toEqual([reason, "slower"]);
    expect(words.cause.slice(0, said.length)).toBe(said);
    const { ids, ends } = runOf([trace]);
    const [made, cost] = [ids.length, ends[ends.length - 1] / 0.006].map((all) => (all / ends.length).toFixed(1));
    expect(words.cause).toContain(`: a round writes ${made} tokens and takes as long as ${cost} plain passes.`);
  }
});

test("a busy machine, or more than is possible, gets no speed and no blame; the counts stay", () => {
  const timing = {
    trusted: false,
    why: "this machine is busy",
    between: "between 0.5× and 2.1×",
    grounds: "It waited.",
  };
  for (const [trace, more] of [
    [traceOf(WRONG), { timing }],
    [timed(traceOf(RIGHT), { draft: 0.0001, verify: 0.0003 }), {}],
  ] as [Trace, Partial<View>][]) {
    const words = endOf(trace, ["auto", "eagle"], more);
    expect([words.reason, words.mood]).toEqual(["busy", "busy"]);
    expect([words.speedup.value, words.speedup.beside].join()).not.toMatch(/^[\d.]+×|,[\d.]+×$/);
    expect(words.cause).toContain("not trusted");
    expect(words.cause).not.toContain("×");
    const advice = "Run it again while this machine does nothing else.";
    expect(words.suggestion).toEqual({ words: advice, change: null, how: "" });
    expect(words.passes).toContain("passes instead of");
    expect(spokenOf(words)).not.toContain("speedup");
  }
});

test("without a plain run the guesses are counted, and the sentence says what is missing", () => {
  const words = wordsOf(runOf([traceOf(WRONG)]));
  expect(words.reason).toBe("unknown");
  const missing = "Plain decoding was not measured on this prompt, so that no speed is given.";
  expect(words.cause).toBe(`6 of 18 guesses were right. ${missing}`);
  expect(words.suggestion).toBeNull();
});

test("after a loss a head is suggested, else drafting only while it pays, else that specviz chooses, else nothing to change", () => {
  const suggested = (trace: Trace, able: string[]) => endOf(trace, able).suggestion;
  const lost = timed(traceOf(LOST), { draft: 0.004 });
  const head = suggested(lost, ["auto", "model", "eagle"]);
  expect([head?.words, head?.change?.drafter]).toEqual(["Use the EAGLE head", "eagle"]);
  expect(suggested(lost, ["auto", "model"])?.change).toEqual({ policy: "auto" });
  const adapted = timed(traceOf(LOST, { policy: "auto" }), { draft: 0.004 });
  expect(suggested(adapted, ["auto", "model"])?.change?.drafter).toBe("auto");
  expect(suggested(adapted, [])?.change).toBeNull();
  expect(suggested(timed(traceOf(RIGHT)), ["auto", "eagle"])).toBeNull();
  const short = timed(traceOf(["rdd", "rdd"], { max_new_tokens: 2 }), { draft: 0.004 });
  expect(suggested(short, [])?.change).toEqual({ max_new_tokens: "64" });
});

test("after a gain the same prompt is suggested again, with a drafter that copies from the answer, unless it has copied", () => {
  const won = timed(traceOf(RIGHT));
  const suggested = (trace: Trace, able: string[]) => endOf(trace, able).suggestion?.change?.drafter;
  expect(suggested(won, ["auto", "model", "suffix", "suffix-model"])).toBe("suffix-model");
  expect(suggested(won, ["auto", "model", "suffix", "suffix-eagle"])).toBeUndefined();
  const again = { ...won, rounds: won.rounds.map((round) => ({ ...round, source: 3, source_text: 0 })) };
  expect(suggested(again, ["auto", "model", "suffix-model"])).toBeUndefined();
});

test("the label of a lossy rule stands beside the speedup", () => {
  expect(endOf(timed(traceOf(RIGHT, { temperature: 0.8, rule: "lenient" }))).small).toContain("LOSSY");
});
