// The weights that a pass reads: what is drawn and said follows from the recorded figures.

import { expect, test } from "vitest";
import { expectNear } from "../../testing/runs.ts";
import type { StreamMode } from "../lesson_types.ts";
import { sceneAt, streamEnd } from "./stream_scene.ts";

const TIMES = { one: 0.0063, many: 0.0076 };
const sceneOf = (mode: StreamMode, share: number) => sceneAt(mode, TIMES, share * streamEnd(mode, TIMES));

test("in the middle of six passes three tokens are written and the weights were read three times, at the end six times", () => {
  const middle = sceneOf("six passes", 0.5);
  expectNear([middle.shares, middle.readings], [[1, 1, 1, 0, 0, 0], 3]);
  const end = sceneOf("six passes", 1);
  expect([end.ended, end.readings]).toEqual([true, 6]);
  expectNear([end.elapsed, sceneOf("one token", 1).elapsed], [6 * TIMES.one, TIMES.one]);
});

test("six passes become one: their blocks move into one, and the weights are read once, past all tokens at the same time", () => {
  const first = sceneOf("six in one", 0);
  expect([first.blocks, first.joined]).toEqual([sceneOf("six passes", 1).blocks, 0]);
  const late = sceneOf("six in one", 0.8);
  expect([late.joined, new Set(late.shares).size]).toEqual([1, 1]);
  expectNear(
    late.blocks.map(({ from, to }) => [from, to]),
    late.blocks.map(() => [0, TIMES.many]),
  );
  const [share] = late.shares;
  expect(share > 0 && share < 1).toBe(true);
  expectNear([late.readings, late.elapsed / TIMES.many], [share, share]);
  expectNear([sceneOf("six in one", 1).readings, sceneOf("six in one", 1).elapsed], [1, TIMES.many]);
});
