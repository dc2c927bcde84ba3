// The chapters that this browser has seen to their end.

import { remember, remembered } from "../shared/browser_storage.ts";

const KEPT = "specviz_chapters_done";

/** Their names. */
export function chaptersDone(): Set<string> {
  return new Set((remembered(KEPT) ?? "").split(" ").filter(Boolean));
}

export function chapterIsDone(name: string) {
  remember(KEPT, [...chaptersDone().add(name)].join(" "));
}
