import { afterAll, expect, test } from "vitest";
import { useWords } from "../shared/words.ts";
import { CASES } from "../testing/runs.ts";
import { inWords } from "./vote_box.ts";

const TABLES = import.meta.glob<Record<string, string>>("/assets/words/*/*.json", { eager: true, import: "default" });

/** Speak a language with all its tables; English needs none. */
function speak(language: string) {
  const own = Object.entries(TABLES).filter(([path]) => path.includes(`/${language}/`));
  useWords({ language, table: Object.assign({}, ...own.map(([, table]) => table)) });
}

afterAll(() => useWords(null));

test("the server's questions are said in the reader's language with their numbers and texts; a lesson's and a presenter's stay", () => {
  const many = CASES.words.howMany;
  const after = "Which token will the target write after “{k} $& ”?”?";
  const own = ["5", "Warum?", "How many of the drafted tokens will be accepted?", "Which token will the target write"];
  speak("de");
  expect(inWords(many)).toBe("Wie viele der 5 vorgeschlagenen Token werden angenommen?");
  expect(inWords(after)).toBe("Welches Token schreibt das Ziel nach „{k} $& ”?“?");
  expect(own.map(inWords)).toEqual(own);
  speak("es");
  expect(inWords("another one")).toBe("otro");
  speak("en");
  expect([many, after].map(inWords)).toEqual([many, after]);
});
