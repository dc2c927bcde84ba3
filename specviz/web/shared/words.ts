// What the page says, in the reader's language. A sentence is named by its English text, which is what is said where the language has no
// other: so English needs no table. The tables are the files of `assets/words/<language>/`. No DOM.

import type { Looks, PageText, PageTextWith, Spoken } from "./json_types.ts";

const ENGLISH = "en";

let spoken: Spoken = { language: ENGLISH, table: {} };
let plurals: Intl.PluralRules | null = null;

/** From now on the words of this language are said. A component calls it before it draws. */
export function useWords(words: Spoken | null | undefined) {
  spoken = words ?? { language: ENGLISH, table: {} };
  plurals = spoken.language === ENGLISH ? null : new Intl.PluralRules(spoken.language);
}

/** The language that is spoken now. */
export function language() {
  return spoken.language;
}

/**
 * A sentence with its gaps filled. What stands after ¦ in its name is for translators: it says which of two meanings is meant.
 * @param english with gaps as `{name}`
 */
export function word(english: string, values: Record<string, string | number> = {}) {
  const translation = spoken.table[english];
  return filledIn(typeof translation === "string" ? translation : english.split("¦")[0], values);
}

/** What the server says (see `for_page` in specviz/words.py), in the language. */
export function textOnPage(text: PageText): string {
  if (typeof text === "string") return word(text);
  const values = Object.entries(text.values).map(([name, value]) => [name, filling(value)]);
  return word(text.text, Object.fromEntries(values));
}

/** What fills a gap: a text stays as it is. */
function filling(value: PageTextWith["values"][string]): string | number {
  if (typeof value !== "object") return value;
  return "number" in value ? fixed(value.number, value.digits) : textOnPage(value);
}

/** The English text of a sentence that `word` says elsewhere: marks it for the tables. */
export function english(text: string) {
  return text;
}

/** The parts of a sentence that differ: of one, and of any other number. */
const FORMS = /\[([^[\]|]*)\|([^[\]|]*)\]/g;

/**
 * A sentence whose form depends on a number, which is its gap `{n}`. Its name is the form for several.
 * @param forms what differs stands in brackets, as in `{n} [pass|passes]`
 */
export function several(n: number, forms: string, values: Record<string, string | number> = {}) {
  const other = forms.replace(FORMS, "$2");
  const own = spoken.table[other] ?? { one: forms.replace(FORMS, "$1"), other };
  const form = typeof own === "string" ? own : own[plurals ? plurals.select(n) : n === 1 ? "one" : "other"];
  return filledIn(form ?? (own as Record<string, string>).other, { n, ...values });
}

/** The signs of the states of a token, with their words in the language. */
export function saidLooks(looks: Looks): Looks {
  const translated = Object.entries(looks).map(([name, look]) => [
    name,
    { ...look, word: word(look.word), means: word(look.means) },
  ]);
  return Object.fromEntries(translated);
}

/** A sentence with its gaps filled; one without a value stays. */
export function filledIn(sentence: string, values: Record<string, string | number>) {
  return sentence.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}

/** A sentence in parts, with a figure in each of its gaps. */
export function parted<Figure>(sentence: string, figures: Record<string, Figure>): (string | Figure)[] {
  return sentence.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? figures[part] : part));
}

/** A number with so many digits after the point, or after the comma of the language. */
export function fixed(value: number, digits: number) {
  if (spoken.language === ENGLISH) return value.toFixed(digits);
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return value.toLocaleString(spoken.language, form);
}
