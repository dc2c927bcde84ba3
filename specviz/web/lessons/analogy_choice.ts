// The analogy that a reader chose, once for all chapters: by its place in a lesson, since its name is another one in each language.

import { remember, remembered } from "../shared/browser_storage.ts";
import type { Lesson } from "./lesson_types.ts";

const KEPT = "specviz_analogy";

/** Its name in a lesson; the first one where none was chosen, "" where the lesson has none. */
export function chosenAnalogy({ analogies }: Lesson) {
  return (analogies[Number(remembered(KEPT) ?? 0)] ?? analogies[0])?.name ?? "";
}

export function chooseAnalogy(lesson: Lesson | null, name: string) {
  const place = lesson?.analogies.findIndex((analogy) => analogy.name === name) ?? -1;
  if (place >= 0) remember(KEPT, String(place));
}
