// The pages of a lesson and their addresses.

import { expect, test } from "vitest";
import { pageOf, searchOf } from "./page_turning.ts";

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
