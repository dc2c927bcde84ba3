// The choice of a language: each goes by its own name.

/** @import { LearnData } from "./types" */

import { pickerOf } from "../shared/dom.js";

/**
 * @param {Pick<LearnData, "words" | "languages" | "language">} data
 * @param {(language: string) => void} speak is called with the code of the one that is chosen.
 */
export function languagePicker({ words, languages, language }, speak) {
  const names = languages.map(({ code, name }) => /** @type {[string, string]} */ ([code, name]));
  const picker = pickerOf("learn-language", words.language, names, language, speak);
  for (const option of picker.options) option.lang = option.value;
  return picker;
}
