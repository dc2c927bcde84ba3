// What a page of the site is given besides its address: the reader's language, with its words.

/** @import { Spoken } from "../shared/types" */

import { useWords, word } from "../shared/words.js";
import { load } from "./loading.js";

/**
 * `say` gives a sentence of the site's own by its key, or says any other English text.
 * @typedef {{ language: string, spoken: Spoken, say: (key: string, values?: Record<string, string | number>) => string }} Reader
 */

/**
 * @param {string} language
 * @returns {Promise<Reader>}
 */
export async function readerOf(language) {
  const { words, spoken } = await load(`words-${language}`);
  useWords(spoken);
  return { language, spoken, say: (key, values) => word(Object.hasOwn(words, key) ? words[key] : key, values) };
}
