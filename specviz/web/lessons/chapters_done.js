// The chapters that this browser has seen to their end.

import { remember, remembered } from "../shared/kept_here.js";

const KEPT = "specviz_chapters_done";

/** Their names. @returns {Set<string>} */
export function chaptersDone() {
  return new Set((remembered(KEPT) ?? "").split(" ").filter(Boolean));
}

/** @param {string} name */
export function chapterIsDone(name) {
  remember(KEPT, [...chaptersDone().add(name)].join(" "));
}
