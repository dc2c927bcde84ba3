import { expect, test } from "vitest";
import { matchedOf } from "../shared/round.ts";
import { runOf, traceOf } from "../testing/runs.ts";
import { alignmentOf } from "./copied_passages.ts";

test("a copy stands under the passage it comes from, with the words that were found again and the counts of the drafter", () => {
  const copied = (prompt_ids: number[], match: { length: number; occurrences: number; followed: number } | null) => {
    const trace = traceOf(["ar"], { drafter: "suffix", label: "suffix decoding" });
    const run = runOf([{ ...trace, prompt_ids, rounds: [{ ...trace.rounds[0], source: 2, match }] }]);
    return { strip: alignmentOf(run, run.rounds[0]), lit: matchedOf(run.rounds[0]) };
  };
  const match = { length: 2, occurrences: 3, followed: 2 };
  const { strip, lit } = copied([3, 4, 1, 2, 3, 4], match);
  const [above, below] = strip?.rows ?? [];
  expect(above.cells.map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    "·w3 found",
    "·w4 found",
    "·w1 followed",
    "·w2 followed",
  ]);
  expect(below.cells.map(({ kind }) => kind)).toEqual(["found", "found", "copied", "copied"]);
  expect(above.name).toBe("Earlier in the text");
  expect(strip?.note).toMatch(/^The last 2 tokens occurred 3 times before: 2 of these times went on like this\./);
  expect(copied([7, 8, 1, 2, 3, 4], match).strip?.rows[0].name).toBe("In an earlier text of this visit");
  expect(lit).toEqual([0, 2]);
  expect(copied([3, 4, 1, 2, 3, 4], null)).toEqual({ strip: null, lit: null });
});
