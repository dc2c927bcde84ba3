// How the drafters with a trained head are drawn follows from the registry, the card and the record.

import { expect, test } from "vitest";
import { layersOf } from "../player/layer_stack.ts";
import { positionAt } from "../player/position.ts";
import { lengthOf, schedule } from "../player/schedule.ts";
import { GIVEN, runOf, traceOf } from "../testing/runs.ts";
import type { Json } from "./json_types.ts";
import {
  boxesOfHead,
  columnsOf,
  depthTyped,
  drawnHead,
  filledAt,
  headWords,
  passesOf,
  wayOf,
} from "./trained_heads.ts";

const DRAFTERS = Object.entries(GIVEN.drafters);
const HEADS = DRAFTERS.filter(([, described]) => (described as Json).needs === "trained head");
const AT_ONCE = ["medusa", "medusa-tree", "dflash", "jetspec"];

/** A run of six guesses of this drafter, whose card says what its head reads. */
function runWith(name: string, taps: number[] | undefined = [2, 6, 9], of = 12) {
  const tree = GIVEN.drafters[name].shape === "tree";
  const parents = tree ? [-1, 0, 1, 0, -1, 4] : undefined;
  return runOf([
    traceOf([tree ? "aaaddd" : "aaardd"], { drafter: name, label: GIVEN.drafters[name].label, of, parents, taps }),
  ]);
}

test("a head does nothing in a round that copies", () => {
  const run = runWith("suffix-eagle-tree");
  const [guessed] = run.rounds.filter(({ drafted }) => drafted.length > 1);
  const copied = { ...guessed, source: 3 };
  const drafts = guessed.drafted.length;
  expect([depthTyped(guessed, drafts) > 0, depthTyped(copied, drafts)]).toEqual([true, 0]);
  expect(passesOf(run.drafterText, copied)).toBe(drafts);
});

test("every trained head has a picture of its own, which the player knows, and no other drafter has one", () => {
  const names = HEADS.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["medusa", "eagle", "mtp", "dflash", "jetspec", "dspark"]));
  for (const [name, described] of DRAFTERS) expect(drawnHead(described) !== null, name).toBe(names.includes(name));
});

test("guesses appear as the head makes them: all at once, one after the other, or after the block is filled", () => {
  for (const [name, { picture }] of HEADS) {
    const run = runWith(name);
    const plan = schedule(run, "quick");
    const draft = plan.shares[0].draft * lengthOf(plan, 0);
    const positions = new Map<number, number | null>();
    for (let i = 0; i < 200; i += 1) {
      const { typed, fraction } = positionAt(run, plan, (i * draft) / 200);
      if (!positions.has(typed)) positions.set(typed, filledAt(run.drafterText, fraction));
    }
    expect([...positions.keys()], name).toEqual(AT_ONCE.includes(name) ? [0, 6] : [0, 1, 2, 3, 4, 5, 6]);
    const [first, ...others] = positions.values();
    if (picture.endsWith("block")) {
      expect(first, name).toBeLessThan(1);
      expect(new Set(others), name).toEqual(new Set([1]));
    } else expect(new Set([first, ...others]), name).toEqual(new Set([null]));
  }
});

test("the layers that a head reads are those of its card, in bars and in words; where they are missing or do not fit nothing is claimed", () => {
  for (const [name, taps, words, lit] of [
    ["eagle", [2, 6, 9], "one trained layer, fed by layers 2, 6 and 9 of the target", [2, 6, 9]],
    ["eagle", [12], "one trained layer, fed by the target's last state", [12]],
    ["mtp", [12], "one layer: the target's last state with the next token", [12]],
    ["eagle", [0], "one trained layer, fed by layer 0 of the target", []],
    ["eagle", [], "one trained layer, fed by the target's states", null],
    ["eagle", [2, 99], "one trained layer, fed by the target's states", null],
  ] as [string, number[], string, number[] | null][]) {
    const { drafterText } = runWith(name, taps);
    const { draft, check } = layersOf(drafterText, null);
    const tapped = check.flatMap((state, i) => (state === "lit tap" ? [i + 1] : []));
    expect([drafterText.does, draft, tapped, check.length]).toEqual([words, [], lit ?? [], lit ? 12 : 0]);
  }
});

test("there is a box for each head or slot and one for a single layer; columns are alike where guesses see no guess before them", () => {
  for (const [name, { picture, shape }] of HEADS) {
    const run = runWith(name);
    const numbers = ["1", "2", "3", "4", "5", "6"].slice(0, shape === "tree" ? 3 : 6);
    expect(boxesOfHead(run), name).toEqual(
      picture === "fed layer" ? ["↻"] : picture === "joined layer" ? ["⊕", "↻"] : numbers,
    );
    expect(headWords(run), name).not.toBe("");
    for (const { alike } of columnsOf(run.drafterText, 3)) expect(alike, name).toBe(AT_ONCE.includes(name));
    expect(wayOf(run.drafterText, 1)?.sign, name).toBeTruthy();
  }
});
