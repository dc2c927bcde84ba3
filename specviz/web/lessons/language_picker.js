// The choice of a language: each goes by its own name.

/** @import { LearnData } from "./types" */

import { el } from "../shared/dom.js";

/**
 * @param {Pick<LearnData, "words" | "languages" | "language">} data
 * @param {(language: string) => void} speak is called with the code of the one that is chosen.
 */
export function languagePicker({ words, languages, language }, speak) {
  const picker = el("select", { class: "learn-language", "aria-label": words.language });
  for (const { code, name } of languages) {
    const option = el("option", "", name);
    option.value = code;
    option.lang = code;
    picker.append(option);
  }
  picker.value = language;
  picker.addEventListener("change", () => speak(picker.value));
  return picker;
}
