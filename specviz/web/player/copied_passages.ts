// Where a copied draft comes from, as two rows that stand over one another: an earlier passage, and the end of the text that matches it.
// Pure, no DOM.

import type { Round } from "../shared/json_types.ts";
import { tokenLabel } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";

/**
 * One token of a row, from one unit to another of the strip's width. `shown` is how much of the drafting must have passed, as an index
 * of the drafted tokens; `mark` says what it is.
 */
export type Cell = { text: string; from: number; to: number; kind: string; mark: string; shown: number };

type Alignment = { units: number; rows: { name: string; cells: Cell[] }[]; note: string };

/** At most so many matched tokens are drawn. */
const MATCHED = 6;

/** The strip of a round; null where the record says nothing of the kind. */
export function alignmentOf(run: Run, round: Round): Alignment | null {
  const before = [...run.promptIds, ...run.ids.slice(0, round.start)];
  return round.match && round.drafted.length ? copyOf(run, round, before, round.match.length) : null;
}

/** What an empty strip says of a round that has none. */
export function noMatchWords(round: Round) {
  if (round.drafted.length) return "";
  return word("Nothing matched: the end of this text did not occur before, so nothing is drafted.");
}

function copyOf({ bytes }: Run, round: Round, before: number[], length: number): Alignment {
  const end = before.slice(-Math.min(length, MATCHED));
  const here = foundAt(round, before, length);
  let at = 0;
  const cells = [
    ...end.map((token) => ({ token, shown: 0 })),
    ...round.drafted.map(({ token }, i) => ({ token, shown: i + 1 })),
  ].map(({ token, shown }) => {
    const { text } = tokenLabel(bytes, token);
    const from = at;
    at += Math.max(2, [...text].length + 1);
    return { text, from, to: at, shown };
  });
  const found = { kind: "found", mark: "=" };
  const above = cells.map((cell) => ({ ...cell, ...(cell.shown ? { kind: "followed", mark: "" } : found), shown: 0 }));
  const below = cells.map((cell) => ({ ...cell, ...(cell.shown ? { kind: "copied", mark: "↓" } : found) }));
  const rows = [
    { name: here ? word("Earlier in the text") : word("In an earlier text of this visit"), cells: above },
    { name: word("End of the text"), cells: below },
  ];
  return { units: at, rows, note: `${matchWords(round)} ${word("= found again, ↓ copied.")}` };
}

/** Whether a match lies in this text: the tokens before the source are those at its end. */
function foundAt({ source, source_text: other }: Round, before: number[], length: number) {
  if (typeof other === "number" || typeof source !== "number" || source < length || source >= before.length)
    return false;
  return before.slice(source - length, source).every((token, i) => token === before[before.length - length + i]);
}

function matchWords({ match }: Round) {
  if (!match) return "";
  const { length, occurrences, followed } = match;
  const matched = several(length, "The last [token|{n} tokens]");
  if (!occurrences) return word("{found} occurred before; the latest time counts.", { found: matched });
  if (occurrences === 1) return word("{found} occurred once before.", { found: matched });
  const values = { found: matched, times: occurrences, followed: String(followed) };
  return word("{found} occurred {times} times before: {followed} of these times went on like this.", values);
}
