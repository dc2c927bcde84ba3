// What a page of the site is given besides its address: the reader's language, with its words.

/** @import { Spoken } from "../shared/types" */

import { filledIn } from "../shared/words.js";
import { load } from "./loading.js";

export class Reader {
  /**
   * @param {string} language
   * @param {Record<string, string>} words
   * @param {Spoken} spoken
   */
  constructor(language, words, spoken) {
    this.language = language;
    this.words = words;
    this.spoken = spoken;
  }

  /** @param {string} language */
  static async of(language) {
    const { words, spoken } = await load(`words-${language}`);
    return new Reader(language, words, spoken);
  }

  /**
   * A sentence of the site's own.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  say(key, values = {}) {
    return filledIn(this.words[key] ?? key, values);
  }
}
