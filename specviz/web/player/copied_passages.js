// Where a copied draft comes from, as two rows that stand over one another: an earlier passage, and the end of the text that matches it.
// Pure, no DOM.

/** @import { Round, Run } from "../shared/types" */

import { tokenLabel } from "../shared/labels.js";
import { several, word } from "../shared/words.js";

/**
 * One token of a row, from one unit to another of the strip's width. `shown` is how much of the drafting must have passed, as an index
 * of the drafted tokens; `mark` says what it is.
 * @typedef {{ text: string, from: number, to: number, kind: string, mark: string, shown: number }} Cell
 */

/** @typedef {{ units: number, rows: { name: string, cells: Cell[] }[], note: string }} Strip */

/** At most so many matched tokens are drawn. */
const MATCHED = 6;

/**
 * The strip of a round; null where the record says nothing of the kind.
 * @param {Run} run
 * @param {Round} round
 * @returns {Strip | null}
 */
export function stripOf(run, round) {
  const before = [...run.promptIds, ...run.ids.slice(0, round.start)];
  return round.match && round.drafted.length ? copyOf(run, round, before, round.match.length) : null;
}

/**
 * What an empty strip says of a round that has none.
 * @param {Round} round
 */
export function noStripWords(round) {
  if (round.drafted.length) return "";
  return word("Nothing matched: the end of this text did not occur before, so nothing is drafted.");
}

/** @param {Run} run @param {Round} round @param {number[]} before @param {number} length @returns {Strip} */
function copyOf({ bytes }, round, before, length) {
  const end = before.slice(-Math.min(length, MATCHED));
  const here = foundAt(round, before, length);
  /** @type {Cell[]} */
  const above = [];
  /** @type {Cell[]} */
  const below = [];
  let at = 0;
  /** @type {(token: number | null, index: number) => void} */
  const add = (token, index) => {
    const { text } = tokenLabel(bytes, token);
    const cell = { text, from: at, to: at + Math.max(2, [...text].length + 1), mark: "", shown: 0 };
    at = cell.to;
    if (index < 0) {
      above.push({ ...cell, kind: "found", mark: "=" });
      below.push({ ...cell, kind: "found", mark: "=" });
    } else {
      above.push({ ...cell, kind: "followed" });
      below.push({ ...cell, kind: "copied", mark: "↓", shown: index + 1 });
    }
  };
  for (const token of end) add(token, -1);
  round.drafted.forEach(({ token }, index) => {
    add(token, index);
  });
  const rows = [
    { name: here ? word("Earlier in the text") : word("In an earlier text of this visit"), cells: above },
    { name: word("End of the text"), cells: below },
  ];
  return { units: at, rows, note: `${matchWords(round)} ${word("= found again, ↓ copied.")}` };
}

/**
 * Whether a match lies in this text: the tokens before the source are those at its end.
 * @param {Round} round
 * @param {number[]} before
 * @param {number} length
 */
function foundAt({ source, source_text: other }, before, length) {
  if (typeof other === "number" || typeof source !== "number" || source < length || source >= before.length)
    return false;
  return before.slice(source - length, source).every((token, i) => token === before[before.length - length + i]);
}

/** @param {Round} round */
function matchWords({ match }) {
  if (!match) return "";
  const { length, occurrences, followed } = match;
  const found = several(length, "The last token", "The last {n} tokens");
  if (!occurrences) return word("{found} occurred before; the latest time counts.", { found });
  if (occurrences === 1) return word("{found} occurred once before.", { found });
  const given = { found, times: occurrences, followed: String(followed) };
  return word("{found} occurred {times} times before: {followed} of these times went on like this.", given);
}
