// How long each sentence stays, and what the title of a recording says.

import { expect, test } from "vitest";
import type { PaceName } from "../shared/json_types.ts";
import { hasRejection, slotAt, wallOf } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { CASES, comparedRun, EIGHT, liveRun, MIXED, RECORDED, runOf, TREE, traceOf } from "../testing/runs.ts";
import { titleOf } from "./opening_text.ts";
import { positionAt } from "./position.ts";
import { PACES, schedule } from "./schedule.ts";
import { captionOf } from "./stage_text.ts";

const EVERY_PACE = Object.keys(PACES) as PaceName[];
const FIRST = (CASES.first as string[]).map((name) => runOf(RECORDED[name], { status: "opened" }));
const RUNS = [liveRun(EIGHT), comparedRun(traceOf(MIXED)), runOf([traceOf(["arad"], { parents: TREE })]), ...FIRST];

/** Every sentence of a run in the order in which it is shown, with its seconds on the viewer's clock. */
function captionsOf(run: Run) {
  const plan = schedule(run, "lesson");
  const captions: { caption: string; seconds: number }[] = [];
  for (let at = 0; at < plan.end; at += 1 / 100) {
    const caption = captionOf(run, positionAt(run, plan, at));
    const last = captions.at(-1);
    if (last?.caption === caption) last.seconds += 1 / 100;
    else captions.push({ caption, seconds: 1 / 100 });
  }
  return captions;
}

test("at the pace Lesson each new sentence has 200 to 250 words a minute and a beat, one that was read before a glance", () => {
  const rejections: string[] = [];
  for (const run of RUNS) {
    const read = new Set<string>();
    for (const { caption, seconds } of captionsOf(run)) {
      const atRate = (rate: number) => (60 * caption.split(/\s+/).length) / rate;
      expect(seconds, caption).toBeGreaterThanOrEqual(read.has(caption) ? 0.85 : atRate(250) + 0.2);
      if (!read.has(caption)) expect(seconds, caption).toBeLessThanOrEqual(atRate(200) + 1);
      read.add(caption);
      if (caption.includes("rejects")) rejections.push(caption);
    }
  }
  expect(rejections).not.toEqual([]);
});

test("at every pace the verdict on the rejected token comes with the sentence that says so, and what it discards later", () => {
  const run = liveRun(EIGHT);
  for (const pace of EVERY_PACE) {
    const plan = schedule(run, pace);
    let beat = 0;
    for (let at = 0; at < plan.end; at += plan.end / 4000) {
      const position = positionAt(run, plan, at);
      const round = run.rounds[position.index];
      if (position.phase !== "judge" || !hasRejection(round)) continue;
      const announced = captionOf(run, position).includes("rejects");
      expect(announced).toBe(slotAt(round, position, wallOf(round)).judged);
      const last = round.drafted.length - 1;
      beat += Number(round.drafted[last].verdict === "discarded" && announced && !slotAt(round, position, last).judged);
    }
    expect(beat).toBeGreaterThan(0);
  }
});

test("the title counts the passes of the two runs; a run that needs as many says so, and other helpers have their names", () => {
  expect(titleOf(comparedRun(traceOf(MIXED)))).toEqual([
    { words: "The large model alone: 10 passes.", passes: 10 },
    { words: "With a small draft model: 4.", passes: 4 },
  ]);
  expect(titleOf(comparedRun(traceOf(["rdd", "rdd"]))).map(({ passes }) => passes)).toEqual([2, 2]);
  const copied = comparedRun(traceOf(MIXED, { drafter: "ngram", label: "n-gram lookup" }));
  expect(titleOf(copied)[1].words).toBe("With n-gram lookup: 4.");
  for (const run of FIRST) {
    const [alone, helped] = titleOf(run);
    expect(alone.words).toBe(`The large model alone: ${run.plain.rounds.length} passes.`);
    expect(helped.words).toBe(`With a small draft model: ${run.rounds.length}.`);
  }
});
