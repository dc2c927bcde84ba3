// Where the terms of the glossary stand in a text.

import { expect, test } from "vitest";
import { CASES } from "../testing/runs.ts";
import type { Term } from "./lesson_types.ts";
import { TermFinder } from "./terms.ts";

const GLOSSARIES = CASES.glossaries as Record<string, Term[]>;

/** The terms as they are found in the texts of one page, each with its entry. */
function found(texts: string[], entries: Term[]) {
  const finder = new TermFinder(entries);
  const seen = new Set<string>();
  return texts.flatMap((text) =>
    finder.fresh(text, seen).map(({ at, length, entry }) => [text.slice(at, at + length), entry.term]),
  );
}

const inEnglish = (...texts: string[]) => found(texts, GLOSSARIES.en);
const asWritten = (...terms: string[]) => terms.map((term) => [term, term]);

test("the longest term counts, and each only where it stands first on the page; one inside a longer term is still to come", () => {
  expect(inEnglish("The draft model has a draft. The draft model is fast.")).toEqual(asWritten("draft model", "draft"));
  expect(inEnglish("an accepted prefix", "accepted", "the acceptance rate", "Accepted")).toEqual([
    ["accepted prefix", "accepted prefix"],
    ["accepted", "accept"],
    ["acceptance rate", "acceptance rate"],
  ]);
});

test("plurals, case, verb forms and a term over the end of a line are known; parts of words are not, and a letter only as it is written", () => {
  expect(inEnglish("Tokens and passes, verifying")).toEqual([
    ["Tokens", "token"],
    ["passes", "pass"],
    ["verifying", "verify"],
  ]);
  expect(inEnglish("a speculative\n  decoding")).toEqual([["speculative\n  decoding", "speculative decoding"]]);
  expect(inEnglish("compasses, passage, tokenise, überdraft, draft2")).toEqual([]);
  expect(inEnglish("This letter passes. A pass rounds differently in a round.")).toEqual(asWritten("pass", "round"));
  expect(inEnglish("K, P and Q; K-means; kk")).toEqual([]);
  expect(inEnglish("write the rest; REST copies")).toEqual(asWritten("REST"));
  expect(inEnglish("several words for one gap", "the editor lets it pass", "the gap")).toEqual(asWritten("gap"));
  expect(inEnglish("min(1, p/q), k · c + v and v(n), α")).toEqual(asWritten("p", "q", "k", "c", "v", "v(n)", "α"));
});

test("another language has terms of its own, with umlauts and compounds; one without a glossary shows none", () => {
  expect(found(["Das Bonus-Token, zwei Durchläufe und Zielmodells"], GLOSSARIES.de)).toEqual([
    ["Bonus-Token", "Bonus-Token"],
    ["Durchläufe", "Durchlauf"],
    ["Zielmodells", "Zielmodell"],
  ]);
  expect(found(["draft model"], [])).toEqual([]);
});

test("a term is a text: what a pattern would interpret is found as it is written", () => {
  const term = "a.*(b)[c]|^$";
  expect(found(["see a.*(b)[c]|^$ here, axxb"], [{ term, says: "x", forms: [term], others: [] }])).toEqual([
    [term, term],
  ]);
});
