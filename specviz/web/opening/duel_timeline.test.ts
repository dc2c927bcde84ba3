// What the opening shows at every moment, and what it says, on the recording that it plays.

import { expect, test } from "vitest";
import { speedupOver } from "../shared/figures.ts";
import { tokensOf } from "../shared/round.ts";
import { comparedRun, plainOf, RECORDED, runOf, slowed, traceOf } from "../testing/runs.ts";
import { chipsAt, LENGTH_S, momentAt, plainAt, planOf } from "./duel_timeline.ts";
import { asText, captionAt, closingWords } from "./duel_words.ts";

const run = runOf(RECORDED.letter);
const plan = planOf(run);
const MOMENTS = Array.from({ length: 60 * LENGTH_S + 1 }, (_, i) => {
  const moment = momentAt(run, plan, i / 60);
  return { ...moment, chips: chipsAt(run, moment), caption: captionAt(run, moment) };
});

test("both lanes share the recorded clock: it never goes back, begins at nothing, ends complete and lasts 15 seconds", () => {
  expect(MOMENTS).toHaveLength(15 * 60 + 1);
  for (const [i, { engine, passes, plainPasses, plainShare }] of MOMENTS.entries()) {
    expect(engine).toBeGreaterThanOrEqual(MOMENTS[i - 1]?.engine ?? 0);
    const [own, plain] = [run, run.plain].map(({ ends }) => ends.filter((end) => end <= engine + 1e-9).length);
    expect([passes, plainPasses]).toEqual([own, plain]);
    expect(plainShare >= 0 && plainShare <= 1).toBe(true);
  }
  const [first, last] = [MOMENTS[0], MOMENTS[MOMENTS.length - 1]];
  expect(first).toMatchObject({ passes: 0, plainPasses: 0, chips: [] });
  expect(last).toMatchObject({ passes: run.rounds.length, plainPasses: run.plain.rounds.length });
  const firstWith = (name: "closed" | "done") =>
    MOMENTS.findIndex(({ closed, phase }) => (name === "closed" ? closed : phase === "done"));
  expect(firstWith("closed")).toBeGreaterThan(firstWith("done"));
});

test("guesses become text only by their verdicts; a rejected one shows as such, and its position then has the target's own token", () => {
  const rejected = new Set<number>();
  for (const { chips, written, index, phase } of MOMENTS) {
    const before = run.rounds.slice(0, Math.max(0, index)).reduce((sum, round) => sum + tokensOf(round), 0);
    expect(written).toBeGreaterThanOrEqual(before);
    const [text, underWay] = [chips.slice(0, written), chips.slice(written)];
    expect(text.map(({ token }) => token)).toEqual(run.ids.slice(0, written));
    expect(text.filter(({ is }) => ["rejected", "discarded", "drafted"].includes(is))).toEqual([]);
    const judged = underWay.filter(({ is }) => !["drafted", "awaited"].includes(is));
    if (phase === "draft" || phase === "pass") expect(judged).toEqual([]);
    underWay.forEach(({ is, token }, i) => {
      if (is !== "rejected") return;
      rejected.add(written + i);
      expect(run.ids[written + i]).not.toBe(token);
    });
  }
  const { chips, written } = MOMENTS[MOMENTS.length - 1];
  expect(written).toBe(run.ids.length);
  expect([...rejected]).toEqual(chips.flatMap(({ is }, i) => (is === "corrected" ? [i] : [])));
});

test("the closing line has the recording's passes and speedup with the machine and the day, and the text for a screen reader all of it", () => {
  const said = closingWords(run);
  const [alone, helped] = [run.plain.rounds.length, run.rounds.length];
  const { speedup } = speedupOver(run.plain, run, helped);
  expect(said.says).toBe(`Same text. ${(alone / helped).toFixed(1)} times fewer passes.`);
  expect(said.speedup?.value).toBe(`${speedup?.toFixed(1)}× as fast`);
  expect(said.speedup?.where).toMatch(/^On 2 cores of an AMD EPYC, \d+ \w+ 20\d\d$/);
  expect(said.speedup?.how).toContain("the median of 5 pairs");
  const text = asText(run);
  const written = run.ids.flatMap((id) => [...(run.bytes.get(id)?.data ?? [])]);
  const words = new TextDecoder().decode(Uint8Array.from(written)).split("<")[0].replace(/\s+/g, " ").trim();
  for (const part of [`${alone} passes`, `${helped} passes`, said.says, words]) expect(text).toContain(part);
});

test("where the times were disturbed, or claim more than the passes allow, the closing line has its counts only", () => {
  const trace = traceOf(["aaa", "ard"]);
  expect(closingWords(comparedRun(trace)).speedup?.where).toBe("Where it was recorded");
  const timing = { trusted: false, why: "this machine is busy", between: "", grounds: "It waited." };
  for (const doubted of [comparedRun(trace, { timing }), runOf([trace, slowed(plainOf(trace), 1000)])]) {
    expect(closingWords(doubted).speedup).toBeNull();
    expect(asText(doubted)).not.toContain("×");
  }
});

test("beyond what is measured of plain decoding its passes are as long as at load, up to the length of the text", () => {
  const plain = { ...run.plain, ends: run.plain.ends.slice(0, 2), done: false };
  const [, second] = plain.ends;
  expect(plainAt(plain, second, 10)).toEqual({ plainPasses: 2, plainShare: 0, paced: true });
  expect(plainAt(plain, second + 0.25, 10)).toMatchObject({ plainPasses: 4, paced: true });
  expect(plainAt(plain, second + 9, 10, 5)).toMatchObject({ plainPasses: 5, paced: true });
  expect(plainAt(plain, second + 9)).toEqual({ plainPasses: 2, plainShare: 0, paced: false });
});

test("of a tree one path is shown: the first guesses, then the accepted ones with what was rejected after them", () => {
  const guess = (token: number, parent: number, verdict: "accepted" | "rejected" | "discarded") => ({
    ...run.rounds[0].drafted[0],
    token,
    parent,
    verdict,
  });
  const drafted = [
    guess(1, -1, "rejected"),
    guess(2, -1, "accepted"),
    guess(3, 0, "discarded"),
    guess(4, 1, "rejected"),
  ];
  const tree = { ...run, rounds: [{ ...run.rounds[0], start: 0, drafted, accepted: [1] }] };
  const at = (phase: "pass" | "verdict") =>
    chipsAt(tree, { ...momentAt(run, plan, 0), phase, index: 0, share: 1, written: 0 }).map(({ token }) => token);
  expect(at("pass")).toEqual([1, 3, null]);
  expect(at("verdict")).toEqual([2, 4]);
});
