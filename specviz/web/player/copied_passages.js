// Where a draft comes from, as two rows that stand over one another: an earlier passage and the end of the text that matches it, or one
// text in the tokens of two tokenizers. Pure, no DOM.

/** @import { ByteTable, Round, Run } from "../shared/types" */

import { tokenLabel } from "../shared/labels.js";
import { several, word } from "../shared/words.js";

/**
 * One token of a row, from one unit to another of the strip's width. `shown` is how much of the drafting must have passed, as an index
 * of the drafted tokens; `mark` says what it is.
 * @typedef {{ text: string, from: number, to: number, kind: string, mark: string, shown: number }} Cell
 */

/** @typedef {{ units: number, rows: { name: string, cells: Cell[] }[], note: string }} Strip */

/** At most so many matched tokens, and so many bytes of the text before a draft, are drawn. */
const MATCHED = 6;
const BEFORE = 26;
/** The width of a special token, which has no text. */
const SPECIAL = 4;

/** The pictures of the drafters for which there is a strip. */
export const STRIPS = ["copy", "re-cut text", "shared tokens"];

/**
 * The strip of a round; null where the record says nothing of the kind.
 * @param {Run} run
 * @param {Round} round
 * @returns {Strip | null}
 */
export function stripOf(run, round) {
  const before = [...run.promptIds, ...run.ids.slice(0, round.start)];
  if (round.own) return recutOf(run, round, before, round.own);
  return round.match && round.drafted.length ? copyOf(run, round, before, round.match.length) : null;
}

/**
 * What an empty strip says of a round that has none.
 * @param {Run} run
 * @param {Round} round
 */
export function noStripWords({ drafterText }, round) {
  if (round.drafted.length) return "";
  return drafterText.picture === "copy"
    ? word("Nothing matched: the end of this text did not occur before, so nothing is drafted.")
    : word("Nothing is drafted in this round.");
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

/**
 * @param {Run} run
 * @param {Round} round
 * @param {number[]} before
 * @param {{ read?: string[], written?: string[] }} own
 * @returns {Strip}
 */
function recutOf({ bytes, drafterText }, round, before, own) {
  const text = textBefore(bytes, before);
  const read = readBefore((own.read ?? []).map(decoded), text);
  const shared = commonStart(read.map(lengthOfToken), text.map(lengthOfToken));
  const theirs = cut(read.slice(read.length - shared.ours), 0, "read", 0);
  const ours = cut(text.slice(text.length - shared.theirs), 0, "text", 0);
  const start = ours.at(-1)?.to ?? 0;
  const written = cut((own.written ?? []).map(decoded), start, "written", 1);
  const drafted = cut(
    round.drafted.map(({ token }) => bytesOf(bytes, token)),
    start,
    "drafted",
    1,
  );
  const whole = drafted.at(-1)?.to ?? start;
  for (const cell of written) if (cell.to > whole) Object.assign(cell, { kind: "left", mark: "–" });
  const above = [...theirs, ...written];
  const below = [...ours, ...drafted];
  for (const cell of below) {
    const inside = above.filter(({ from, to }) => from < cell.to && to > cell.from);
    const alike = inside.length === 1 && inside[0].from === cell.from && inside[0].to === cell.to;
    cell.mark = alike ? "=" : "✂";
    cell.kind += alike ? " alike" : " apart";
    if (inside.length) for (const one of inside) one.kind += alike ? " alike" : " apart";
  }
  const note =
    drafterText.picture === "shared tokens"
      ? word("= both tokenizers have this token, so it can be drafted; ✂ only the target has it")
      : word("= cut alike by both tokenizers; ✂ cut differently; – written, but not proposed");
  const rows = [
    { name: word("Draft's tokens"), cells: above },
    { name: word("Target's tokens"), cells: below },
  ];
  return { units: Math.max(...[...above, ...below].map((cell) => cell.to), 1), rows, note };
}

/** The tokens of the text since the last special one, as bytes. @type {(bytes: ByteTable, ids: number[]) => Uint8Array[]} */
function textBefore(bytes, ids) {
  const special = ids.findLastIndex((id) => bytes.get(id)?.special);
  return ids.slice(Math.max(special + 1, ids.length - BEFORE)).map((id) => bytesOf(bytes, id));
}

/**
 * The last of these tokens that spell the end of the text; all others are left out.
 * @param {Uint8Array[]} read
 * @param {Uint8Array[]} text
 */
function readBefore(read, text) {
  const spelt = text.flatMap((token) => [...token]);
  let at = spelt.length;
  let first = read.length;
  while (first > 0) {
    const token = read[first - 1];
    if (!token.length || !token.every((byte, i) => byte === spelt[at - token.length + i])) break;
    at -= token.length;
    first -= 1;
  }
  return read.slice(first);
}

/**
 * How many of the last tokens of two cuttings are drawn: from the earliest border that both have and that is not too far back.
 * @param {number[]} ours
 * @param {number[]} theirs
 */
function commonStart(ours, theirs) {
  let best = { ours: 0, theirs: 0 };
  let [i, j, a, b] = [ours.length, theirs.length, 0, 0];
  while (i > 0 && j > 0) {
    if (a <= b) a += ours[--i];
    else b += theirs[--j];
    if (Math.max(a, b) > BEFORE) break;
    if (a === b) best = { ours: ours.length - i, theirs: theirs.length - j };
    else if (a < b && i === 0) break;
  }
  while (j > 0 && b < a && b + theirs[j - 1] <= a) {
    b += theirs[--j];
    if (a === b && a <= BEFORE) best = { ours: ours.length - i, theirs: theirs.length - j };
  }
  return best;
}

/**
 * Tokens as cells, one after the other.
 * @param {Uint8Array[]} tokens
 * @param {number} start
 * @param {string} kind
 * @param {number} first
 * @returns {Cell[]}
 */
function cut(tokens, start, kind, first) {
  let at = start;
  return tokens.map((data, i) => {
    const { text } = data.length ? tokenLabel(new Map([[0, { data: new Uint8Array(data), special: false }]]), 0) : END;
    const cell = {
      text,
      from: at,
      to: at + (data.length || SPECIAL),
      kind,
      mark: "",
      shown: first && i + 1,
    };
    at = cell.to;
    return cell;
  });
}

const END = { text: "end" };

/** The bytes of a token, none for a special one. @type {(bytes: ByteTable, id: number | null) => Uint8Array} */
function bytesOf(bytes, id) {
  const entry = id === null ? undefined : bytes.get(id);
  return entry && !entry.special ? entry.data : new Uint8Array();
}

/** @param {string} base64 */
function decoded(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** @param {Uint8Array} token */
function lengthOfToken(token) {
  return token.length;
}
