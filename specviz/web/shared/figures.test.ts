// Python and TypeScript read a recording alike: on every recording that comes with the project each figure is computed twice.

import { describe, expect, test } from "vitest";
import { positionAt } from "../player/position.ts";
import { schedule } from "../player/schedule.ts";
import { laneAt } from "../race/race_course.ts";
import { readCourse } from "../race/race_reading.ts";
import type { LaneView } from "../race/race_types.ts";
import {
  CASES,
  EIGHT,
  expectNear,
  liveRun,
  MIXED,
  plainOf,
  plainRound,
  RECORDED,
  runOf,
  traceOf,
} from "../testing/runs.ts";
import { divergenceOf, figuresAt, gapOf, middleWords } from "./figures.ts";
import type { Trace } from "./json_types.ts";
import { judgedOf } from "./round.ts";
import type { Run } from "./run_types.ts";

const shownAfter = (run: Run, rounds: number) => figuresAt(run, { index: rounds - 1, joined: true });
const atEnd = (run: Run) => shownAfter(run, run.rounds.length);

/** The figures of both lanes at the end of a race. */
function raced(speculative: Trace, plain: Trace, state: LaneView["state"] = "done") {
  const words = { name: "", words: "", say: "", how: "", busy: "", judged: true, badge: null, prompt: "", asked: 1 };
  const lane = (kind: LaneView["kind"], source: Trace): LaneView => ({ ...words, kind, state: "done", source });
  const lanes = [{ ...lane("plain", plain), state }, lane("speculative", speculative)];
  const more = { live: false, note: "", hint: "", plain_rate: null, real_time: false };
  const course = readCourse({ id: "x", race: true, ...more, lanes });
  return course.lanes.map((lane) => ({ ...laneAt(course, lane, course.known), ids: lane.ids }));
}

describe.each(Object.entries(RECORDED))("of %s", (name, [speculative, plain]) => {
  const run = runOf([speculative, plain]);
  const figures = CASES.figures[name];

  test("Watch has the tokens, counts, rates and speedups of the metrics, also after every round", () => {
    const end = positionAt(run, schedule(run, "real"), schedule(run, "real").end);
    const atEnd = figuresAt(run, end);
    const { ids, plainIds, ends, counts, exact, near, speedups, ahead } = figures;
    expect([run.ids, run.plain.ids, run.ends]).toEqual([ids, plainIds, ends]);
    expect(run.rounds.map((round) => [round.drafted.length, judgedOf(round), round.accepted.length])).toEqual(counts);
    expect(atEnd).toMatchObject({ ...exact, plainIs: "measured" });
    for (const [key, value] of Object.entries(near)) expectNear(atEnd?.[key as keyof typeof atEnd], value);
    const rounds = run.rounds.map((_, i) => shownAfter(run, i + 1));
    expect(rounds.map((figures) => figures?.ahead)).toEqual(ahead);
    for (const [i, figures] of rounds.entries()) expectNear(figures?.speedup, speedups[i]);
    expect(atEnd?.withPrompt).not.toBe(atEnd?.speedup);
  });

  test("Race has the figures of the metrics at the end of its clock", () => {
    const { ids, plainIds, exact, near } = figures;
    const [alone, helped] = raced(speculative, plain);
    expect(alone).toMatchObject({ finished: true, ids: plainIds, tokens: plainIds.length, passes: plainIds.length });
    expect(helped).toMatchObject({ finished: true, ids, tokens: exact.tokens, passes: exact.passes });
    expectNear([alone.rate, helped.rate], [near.plainRate, near.rate]);
    expectNear([helped.speedup, helped.withPrompt], [near.speedup, near.withPrompt]);
  });

  test("the first index at which the texts differ is found where they must agree, with the gap of the two highest logits", () => {
    const middle = plain.rounds.length >> 1;
    const { closing } = plain.rounds[middle];
    const token = Number(Object.keys(plain.tokens).find((id) => Number(id) !== closing?.token));
    const changed = plain.rounds.with(middle, { ...plain.rounds[middle], closing: closing && { ...closing, token } });
    const differing = runOf([speculative, { ...plain, rounds: changed }]);
    expect(divergenceOf(run)).toBe(figures.mustAgree ? -1 : null);
    expect(divergenceOf(differing)).toBe(figures.mustAgree ? middle : null);
    const [first, second] = (closing?.residual_top?.logits ?? []).toSorted((a, b) => b - a);
    expectNear(gapOf(closing?.residual_top), first - second);
  });
});

test("a plain run that is shorter is compared as far as it goes, as the metrics do; one that was stopped is no measure", () => {
  for (const [name, speedup] of Object.entries(CASES.shorter)) {
    const [speculative, plain] = RECORDED[name];
    const short = { ...plain, rounds: plain.rounds.slice(0, plain.rounds.length >> 1) };
    const ended = runOf([speculative, { ...short, stop: "end_of_text" }]);
    expect(divergenceOf(ended)).toBeNull();
    expect(atEnd(ended)?.plainIs).toBe("measured");
    expectNear([atEnd(ended)?.speedup, raced(speculative, short)[1].speedup], [speedup, speedup]);
    const stopped = runOf([speculative, { ...short, stop: "cancelled" }]);
    expect(atEnd(stopped)).toMatchObject({ plainIs: "none", speedup: null });
    expect(raced(speculative, short, "stopped")[1].speedup).toBeNull();
  }
});

test("the middle one of several timed pairs has one name: the lower of the two in the middle is nowhere called the median", () => {
  const words = CASES.middleWords.map((_: string, i: number) => middleWords(i + 1));
  expect(words).toEqual(CASES.middleWords);
  for (const [i, sentence] of words.entries()) expect(sentence.includes("median")).toBe(i % 2 === 0);
});

test("the speedup does not grow when plain rounds run out: the rate of the load is used instead, and is said to be", () => {
  for (const ends of [[0.006, 0.012], []]) {
    const figures = atEnd(liveRun(EIGHT, ends, 250));
    expect(figures?.plainIs).toBe("load");
    expect(figures?.speedup).toBeCloseTo(8 / (250 * 0.032));
  }
});

test("what the prompt took is not counted while the run goes on", () => {
  const ends = Array.from({ length: 8 }, (_, i) => 0.006 * (i + 1));
  expect(atEnd(liveRun(EIGHT, ends))?.withPrompt).toBeNull();
});

test("the two rates give the speedup, also where plain decoding went on longer and slowed down", () => {
  const trace = traceOf(MIXED);
  const plain = plainOf(trace);
  const slow = Array.from({ length: 5 }, (_, i) => plainRound(10 + i, 9, 1 + i, 2 + i));
  const figures = atEnd(runOf([trace, { ...plain, rounds: [...plain.rounds, ...slow] }]));
  expect((figures?.rate ?? 0) / (figures?.plainRate ?? 0)).toBeCloseTo(figures?.speedup ?? 0, 9);
});
