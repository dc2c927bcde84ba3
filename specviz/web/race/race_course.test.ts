// What each lane shows is a pure function of (lanes, clock).

import { expect, test } from "vitest";
import type { Round } from "../shared/json_types.ts";
import { CASES, expectNear, plainRound, tableOf } from "../testing/runs.ts";
import { factorFor, laneAt, openingFactor, stopBeside } from "./race_course.ts";
import { readCourse } from "./race_reading.ts";
import { bracketWords, laneHeadline, passesWords } from "./race_text.ts";
import type { LaneView, RaceView } from "./race_types.ts";

/** A round that ended then, and how each of its tokens came: a(ccepted), c(orrected), b(onus). */
function roundOf(start: number, began_s: number, ended_s: number, letters: string): Round {
  const accepted = [...letters].flatMap((letter, i) => (letter === "a" ? [i] : []));
  const corrected = letters.endsWith("c");
  const verdicts = [...accepted.map(() => "accepted" as const), ...(corrected ? ["rejected" as const] : [])];
  const { closing, ...plain } = plainRound(start, 0, began_s, ended_s);
  const own = closing && { ...closing, how: corrected ? ("corrected" as const) : closing.how };
  const drafts = { token: 0, draft_prob: 0.5, target_prob: 0.5, draw: null };
  const drafted = verdicts.map((verdict, i) => ({ ...drafts, parent: i - 1, verdict }));
  return { ...plain, drafted, accepted, closing: letters.endsWith("a") ? null : own };
}

/** A lane of rounds, each with the seconds at which it ended: "0.01 aab, 0.02 c". */
function laneOf(written: string, more: Partial<LaneView> = {}): LaneView {
  let [start, began] = [0, 0];
  const rounds = (written ? written.split(", ") : []).map((round) => {
    const [ended, letters] = round.split(" ");
    const made = roundOf(start, began, Number(ended), letters);
    [start, began] = [start + letters.length, Number(ended)];
    return made;
  });
  const source = { prompt_ids: [], tokens: tableOf(["a"]), rounds };
  const words = {
    name: "",
    words: "",
    say: "soon",
    how: "",
    busy: "",
    judged: true,
    badge: null,
    prompt: "p",
    asked: 8,
  };
  return { ...words, kind: "speculative", state: "done", source, ...more };
}

const evenly = (count: number, pass: number, letters: string) =>
  Array.from({ length: count }, (_, i) => `${pass * (i + 1)} ${letters}`).join(", ");

function plainLane({ tokens = 8, pass = 0.01, ...more }: Partial<LaneView> & { tokens?: number; pass?: number } = {}) {
  return laneOf(evenly(tokens, pass, "b"), { kind: "plain", ...more });
}

const QUICK = "0.012 aaab, 0.024 ac, 0.036 c, 0.05 b";
const SLOW = evenly(8, 0.02, "c");
const BUSY = "this machine is busy: between 0.4× and 8.7×";

function courseOf(lanes: LaneView[], more: Partial<RaceView> = {}) {
  const view = { id: "x", race: true, live: false, note: "", hint: "", plain_rate: null, real_time: false };
  return readCourse({ ...view, lanes, ...more });
}

type Course = ReturnType<typeof courseOf>;

const at = (course: Course, clock: number) => course.lanes.map((lane) => laneAt(course, lane, clock));
const ranks = (course: Course, clock: number) => at(course, clock).map(({ rank }) => rank);

/** The headline, the small print, the words at the bracket and the headline's tone. */
function saidOf(course: Course, clock: number, index = 1) {
  const lane = course.lanes[index];
  const moment = laneAt(course, lane, clock);
  const { value, small, tone } = laneHeadline(course, lane, moment);
  const bracket = bracketWords(moment.gap, course.span, lane.busy);
  return [`${value} ${small}`.trim(), passesWords(lane, moment), bracket, tone];
}

test("tokens come with the end of their round, never before it, and stay", () => {
  const course = courseOf([plainLane(), laneOf(QUICK)]);
  const counts = [0, 0.0119, 0.012, 0.03, 1].map((clock) => at(course, clock).map(({ tokens }) => tokens));
  expect(counts.map(String)).toEqual(["0,0", "1,0", "1,4", "3,6", "8,8"]);
});

test("on a busy machine neither the speedup nor who came first is a figure; the tokens and the passes still are", () => {
  const calm = courseOf([plainLane(), laneOf(QUICK)]);
  expect(ranks(calm, 1)).toEqual([2, 1]);
  expect(at(calm, 1)[1].speedup).toBeCloseTo(0.08 / 0.05);
  const busy = courseOf([plainLane(), laneOf(QUICK, { busy: BUSY })]);
  expect(ranks(busy, 1)).toEqual([null, null]);
  expect(at(busy, 1)[1]).toMatchObject({ speedup: null, withPrompt: null, tokens: 8 });
  expectNear([at(busy, 1)[1].gap?.from, at(busy, 1)[1].gap?.to], [0.05, 0.08]);
  const said = saidOf(busy, 1);
  expect(said).toEqual([BUSY, "8 tokens in 4 passes", "▲ 30 ms earlier, not trusted", ""]);
});

test("before all timings are done nothing is said that they may take back: no ratio, no rank and no colour of one who is ahead", () => {
  const course = courseOf([plainLane({ judged: false }), laneOf(QUICK, { judged: false })], { live: true });
  expect(ranks(course, 1)).toEqual([null, null]);
  expect(at(course, 1)[1]).toMatchObject({ speedup: null, withPrompt: null });
  const [first, , , tone] = saidOf(course, 1);
  expect([first, tone]).toEqual(["Finished and still being timed", ""]);
});

test("ranks follow the recorded ends: none before its lane has finished, none while another may be faster, none for other lengths", () => {
  const course = courseOf([plainLane(), laneOf(QUICK), laneOf(SLOW)]);
  expect(ranks(course, 1)).toEqual([2, 1, 3]);
  expect(ranks(course, 0.06)).toEqual([null, 1, null]);
  const still = (tokens: number) =>
    courseOf([plainLane({ tokens, state: "recording" }), laneOf(QUICK)], { live: true });
  expect([2, 7].map((tokens) => ranks(still(tokens), 0.05)[1])).toEqual([null, 1]);
  const other = laneOf("0.01 ab, 0.02 ab", { asked: 64 });
  for (const moment of at(courseOf([laneOf(QUICK), other], { race: false }), 1))
    expect(moment).toMatchObject({ finished: true, rank: null, speedup: null });
});

test("the only ratio is that of the finished race: of the two times for as many tokens", () => {
  const longer = courseOf([plainLane({ tokens: 12 }), laneOf(QUICK)]);
  for (const clock of [0.012, 0.024, 0.036, 0.05, 0.119]) expect(at(longer, clock)[1].speedup).toBeNull();
  expect(at(longer, 0.12)[1].tokens).toBe(8);
  expect(at(longer, 0.12)[1].speedup).toBeCloseTo(0.08 / 0.05);
});

test("one steady number says how a lane stands from the start to the end", () => {
  const course = courseOf([plainLane(), laneOf(QUICK)]);
  expect([0, 0.012, 0.065, 0.08].map((clock) => saidOf(course, clock))).toEqual([
    ["0 tokens ahead of plain", "", "", ""],
    ["▲ 3 tokens ahead of plain", "4 tokens in 1 pass", "", "ahead"],
    ["Finished plain has 2 tokens to go", "8 tokens in 4 passes", "▲ finished 15 ms ago", "ahead"],
    ["1.60× as fast as plain", "8 tokens in 4 passes", "▲ 30 ms earlier than plain", "ahead"],
  ]);
  expect(saidOf(course, 0.019)[0]).toBe("▲ 3 tokens ahead of plain");
  const gaps = [0.012, 0.05, 0.065, 1].flatMap((clock) => at(course, clock)[1].gap ?? []);
  expectNear(
    [gaps.map(({ from }) => from), gaps.map(({ to }) => to)],
    [
      [0, 0.05, 0.05, 0.05],
      [0, 0.05, 0.065, 0.08],
    ],
  );
  const late = courseOf([plainLane(), laneOf(SLOW)]);
  expect(saidOf(late, 0.045)).toEqual(["▼ 2 tokens behind plain", "2 tokens in 2 passes", "", "behind"]);
  const toGo = "▼ 2 tokens to go, plain has finished";
  expect(saidOf(late, 0.12)).toEqual([toGo, "6 tokens in 6 passes", "▼ plain finished 40 ms ago", "behind"]);
  const [headline, , bracket] = saidOf(late, 1);
  expect([headline, bracket]).toEqual(["0.50× 50% slower than plain", "▼ 80 ms later than plain"]);
  const plain = [0, 0.01, 0.065, 0.08].map((clock) => saidOf(course, clock, 0)[0]);
  expect(plain).toEqual(["", "", "", "100 tokens a second"]);
});

test("a shorter text is no victory: the bracket says so, and nobody is first", () => {
  const course = courseOf([plainLane(), laneOf("0.012 aaab, 0.024 ac")]);
  expect(saidOf(course, 1)[2]).toBe("▲ 56 ms earlier, with 2 tokens fewer");
  expect(ranks(course, 1)).toEqual([null, null]);
  expect(at(course, 1)[1].speedup).toBeCloseTo(0.06 / 0.024);
});

test("what is not known of a gap is not said: while plain is still to be recorded, and after a run was stopped", () => {
  const waiting = plainLane({ tokens: 0, state: "waiting" });
  const awaited = courseOf([waiting, laneOf(QUICK)], { live: true, plain_rate: 100 });
  expect(saidOf(awaited, 0.024).slice(0, 3)).toEqual(["plain is not recorded yet", "6 tokens in 2 passes", ""]);
  const recorded = courseOf([plainLane({ tokens: 3, state: "recording" }), laneOf(QUICK)], { live: true });
  expect(at(recorded, 0.024)[1].gap?.tokens).toBe(4);
  expect(at(recorded, 0.04)[1].gap).toBeNull();
  const cut = courseOf([plainLane({ tokens: 3, state: "stopped" }), laneOf(QUICK)]);
  expect(saidOf(cut, 1)[0]).toMatch(/^– not known/);
});

test("by default the plain lane lasts about twelve seconds, by a round factor, and never quicker than real", () => {
  const factor = (pass: number) => factorFor(courseOf([plainLane({ pass }), laneOf(QUICK)]));
  expectNear([0.01, 0.0005, 0.19, 1.4, 30].map(factor), [150, 3000, 8, 1, 1]);
  for (const pass of [0.01, 0.0005, 0.19]) expect(Math.abs(factor(pass) * 8 * pass - 12.1)).toBeLessThanOrEqual(1.9);
});

test("a race opens in real time where that can be read: the chat model's does, the tiny pair's is slower", () => {
  const opens = ([pair, view]: [string, unknown]) => [pair, openingFactor(readCourse(view as RaceView))];
  expect(Object.fromEntries(Object.entries(CASES.races).map(opens))).toEqual({ "smollm2-135m": 1, embedded: null });
});

test("arrow keys stop wherever a lane gains tokens, forwards and back, and hold at both ends", () => {
  const course = courseOf([plainLane({ tokens: 3 }), laneOf("0.012 aaa")]);
  const walk = (from: number, by: number) => {
    const stops = [stopBeside(course, from, by)];
    for (let i = 1; i < 5; i += 1) stops.push(stopBeside(course, stops[i - 1], by));
    return stops;
  };
  expectNear(walk(0, 1), [0.01, 0.012, 0.02, 0.03, 0.03]);
  expectNear(walk(course.known, -1), [0.02, 0.012, 0.01, 0, 0]);
});
