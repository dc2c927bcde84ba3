// The pages of a lesson and their addresses.

import { expect, test } from "vitest";
import { filledIn } from "../shared/words.ts";
import type { Lesson } from "./lesson_types.ts";
import { AS_IT_WAS, pageOf, pagesOf, searchOf } from "./page_turning.ts";

test("pages are numbered from 1 in the address; a page that is not there is none", () => {
  for (const [search, page] of [
    ["", 0],
    ["?step=", 0],
    ["?step=1", 0],
    ["?step=4", 3],
    ["?step=11", 10],
  ] as const)
    expect(pageOf(search, 11)).toBe(page);
  for (const step of ["12", "0", "-1", "1e1", "x", "99999999999"]) expect(pageOf(`?step=${step}`, 11)).toBeNull();
});

test("lesson and step are set in the address; other parameters stay, the language among them", () => {
  const editor = { name: "editor" };
  expect(searchOf("", editor, 3)).toBe("?lesson=editor&step=4");
  expect(searchOf("?talk=1&lesson=x&lang=de", editor, 0)).toBe("?talk=1&lesson=editor&lang=de&step=1");
});

test("steps, questions and the way on have a page each; one without a moment holds the one before, and gaps of sentences are filled", () => {
  const at = (round: number) => ({ round, phase: "draft", part: 0, count: null }) as const;
  const place = { recording: "letter", moment: at(2), lit: [{ part: "text", slot: null }], asks: false, whole: false };
  const lesson = {
    steps: [
      { title: "one", place },
      { title: "two", place: AS_IT_WAS },
    ],
    questions: [{ html: "why?", before: { ...place, moment: at(5) }, answer: { ...place, moment: at(6) } }],
    ending: { html: "so", place: { ...AS_IT_WAS, recording: "letter", moment: at(9) } },
  } as unknown as Lesson;
  const pages = pagesOf(lesson);
  expect(pages.map(({ kind, title }) => `${kind} ${title}`)).toEqual(["step one", "step two", "question why?", "end "]);
  const unlit = { ...place, lit: [] };
  expect(pages.map((page) => page.place)).toEqual([
    place,
    unlit,
    { ...place, moment: at(5) },
    { ...unlit, moment: at(9) },
  ]);
  expect(filledIn("{a} of {b}", { a: 1 })).toBe("1 of {b}");
});
