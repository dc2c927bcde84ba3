// The choice of a language: each goes by its own name.

import { pickerOf } from "../shared/dom.ts";
import type { LearnData } from "./lesson_types.ts";

/** @param speak is called with the code of the one that is chosen. */
export function languagePicker(
  { words, languages, language }: Pick<LearnData, "words" | "languages" | "language">,
  speak: (language: string) => void,
) {
  const names = languages.map(({ code, name }) => [code, name] as [string, string]);
  const picker = pickerOf("learn-language", words.language, names, language, speak);
  for (const option of picker.options) option.lang = option.value;
  return picker;
}
