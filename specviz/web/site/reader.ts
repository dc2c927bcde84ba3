// What a page of the site is given besides its address: the reader's language, with its words.

import type { Spoken } from "../shared/json_types.ts";
import { useWords, word } from "../shared/words.ts";
import { load } from "./loading.ts";

/** `say` gives a sentence of the site's own by its key, or says any other English text. */
export type Reader = {
  language: string;
  spoken: Spoken;
  say: (key: string, values?: Record<string, string | number>) => string;
};

export async function readerOf(language: string): Promise<Reader> {
  const { words, spoken } = await load(`words-${language}`);
  useWords(spoken);
  return { language, spoken, say: (key, values) => word(Object.hasOwn(words, key) ? words[key] : key, values) };
}
