// What this browser keeps of a reader: the analogy that was chosen, once for all chapters, and the chapters that were seen to their end.

import { remember, remembered } from "../shared/browser_storage.ts";
import type { Lesson } from "./lesson_types.ts";

/** By its place in a lesson, since its name is another one in each language. */
const ANALOGY = "specviz_analogy";
const CHAPTERS = "specviz_chapters_done";

/** Its name in a lesson; the first one where none was chosen, "" where the lesson has none. */
export function chosenAnalogy({ analogies }: Lesson) {
  return (analogies[Number(remembered(ANALOGY) ?? 0)] ?? analogies[0])?.name ?? "";
}

export function chooseAnalogy(lesson: Lesson | null, name: string) {
  const place = lesson?.analogies.findIndex((analogy) => analogy.name === name) ?? -1;
  if (place >= 0) remember(ANALOGY, String(place));
}

/** The names of the chapters. */
export function chaptersDone(): Set<string> {
  return new Set((remembered(CHAPTERS) ?? "").split(" ").filter(Boolean));
}

export function chapterIsDone(name: string) {
  remember(CHAPTERS, [...chaptersDone().add(name)].join(" "));
}
