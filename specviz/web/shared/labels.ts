// How a token, a text and a number are written for people. No DOM.

import type { ByteTable, Label } from "./run_types.ts";
import { english, fixed, several, word } from "./words.ts";

const SIGNS: Map<string, string> = new Map([
  ["\n", "⏎"],
  ["\t", "⇥"],
  ["\r", "␍"],
  ["\u00a0", "⍽"],
  [" ", "·"],
]);

// A joiner between these holds letters or emoji together and is not spelt out: they are drawn as one.
const HELD_BEFORE = /^(?:[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const HELD_AFTER = /^[\p{L}\p{Extended_Pictographic}]/u;
const JOINERS = /(\u200c|\u200d)/u;
const UNSEEN = /\u200b|\u200c|\u200d|\u200e|\u200f|[\u2028-\u202e\u2066-\u2069\ufeff]/u;
const SPELT_OUT = /[\u202a-\u202e\u2066-\u2069]|(?![\n\t\r])\p{Control}/gu;

/** What bytes on a card are. */
const PART = english("part of a character");

/**
 * A token alone, for a slot: white space and control characters shown, half a character as its bytes. A null id is another token,
 * and which is not known.
 */
export function tokenLabel(bytes: ByteTable, id: number | null): Label {
  if (id === null) return { text: "?", raw: true };
  const entry = bytes.get(id);
  if (!entry) return { text: `#${id}`, raw: true };
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(entry.data);
  } catch {
    const spelt = [...entry.data].map((b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    return { text: spelt, raw: true, says: word(PART) };
  }
  if (!text) return { text: "∅", raw: true };
  if (entry.special) return { text, raw: true };
  const parts = text.split(JOINERS); // every second one is a joiner
  const isJoined = (i: number): boolean =>
    HELD_BEFORE.test([...parts[i - 1]].at(-1) ?? "") && HELD_AFTER.test(parts[i + 1]);
  const visibleParts = parts.map((part, i) => (i % 2 && isJoined(i) ? part : [...part].map(visible).join("")));
  return { text: visibleParts.join(""), raw: false };
}

function visible(c: string) {
  const sign = SIGNS.get(c);
  if (sign) return sign;
  const code = c.codePointAt(0) ?? 0;
  if (code < 32) return String.fromCodePoint(0x2400 + code);
  if (code === 127) return "␡";
  return (code >= 0x80 && code < 0xa0) || UNSEEN.test(c) ? `⟨${code.toString(16).toUpperCase()}⟩` : c;
}

/** Signs of tokens in what is only heard: words, and no dots for spaces. */
export function heard(text: string) {
  const signs = text
    .replaceAll("⏎", ` ${word("line break")} `)
    .replace(/<\|?[\w/-]*(?:end|eos)[\w-]*\|?>|<\/s>/giu, word("end of text"));
  return signs
    .replaceAll("·", " ")
    .replace(/ +/g, " ")
    .replace(/([“„«]) +/gu, "$1")
    .trim();
}

/**
 * The pieces of a text, one for each id: a character split over tokens appears with the token that completes it. Characters that
 * would reverse the direction of the text after them, and those that control a terminal, are spelt out.
 */
export function textPieces(bytes: ByteTable, ids: number[]) {
  const decoder = new TextDecoder("utf-8");
  return ids.map((id) => {
    const entry = bytes.get(id);
    return !entry || entry.special ? "" : decoder.decode(entry.data, { stream: true }).replace(SPELT_OUT, visible);
  });
}

/**
 * The pieces of a prompt, one for each id, as it was written: without the words that a chat template puts around it, where the answer
 * begins on a line of its own; with the marks, such as <|im_end|>, that the writer put into it. All that the ids say where there is no
 * template, or the prompt cannot be found in them.
 * @param prompt as it was written.
 * @returns `template`: whether words of a template were left out.
 */
export function promptPieces(bytes: ByteTable, ids: number[], prompt: string): { pieces: string[]; template: boolean } {
  const read = textPieces(bytes, ids);
  const written = prompt.trim().replace(SPELT_OUT, visible);
  const isMark = ids.map((id) => Boolean(bytes.get(id)?.special));
  const spelt = ids.map((id, i) => (isMark[i] ? tokenLabel(bytes, id).text : read[i]));
  for (const pieces of [read, spelt]) {
    const match = foundIn(pieces, written);
    if (!match) continue;
    const { kept, around } = match;
    if (!around.some((part, i) => !isMark[i] && part.trim()))
      return { pieces: pieces === read ? read : kept, template: false };
    const last = kept.findLastIndex((part) => part);
    return { pieces: kept.with(last, `${kept[last]}\n`), template: true };
  }
  return { pieces: read, template: false };
}

/** The last place where pieces hold a text as a whole: what each has of it, and what each has beside it; null where there is none. */
function foundIn(pieces: string[], text: string) {
  const whole = pieces.join("");
  /** where each piece starts, and where the last one ends. */
  const edges: number[] = [0];
  for (const piece of pieces) edges.push(edges[edges.length - 1] + piece.length);
  const stands = (at: number): boolean =>
    (edges.includes(at) || /\s/.test(whole[at - 1])) && edges.includes(at + text.length) && text !== "";
  let from = whole.lastIndexOf(text);
  while (from > 0 && !stands(from)) from = whole.lastIndexOf(text, from - 1);
  if (from < 0 || !stands(from)) return null;
  const to = from + text.length;
  const cuts = pieces.map((_, i) => [from, to].map((at) => Math.max(0, at - edges[i])));
  return {
    kept: pieces.map((piece, i) => piece.slice(cuts[i][0], cuts[i][1])),
    around: pieces.map((piece, i) => piece.slice(0, cuts[i][0]) + piece.slice(cuts[i][1])),
  };
}

/** A number for people; a dash where there is none. */
export function number(value: number | null | undefined, digits = 1) {
  return typeof value === "number" && Number.isFinite(value) ? fixed(value, digits) : "–";
}

/** A share for people, as a percentage. */
export function percent(share: number) {
  if (share > 0 && share < 0.001) return word("under 0.1%");
  return word("{share}%", { share: number(100 * share, share < 0.1 ? 1 : 0) });
}

export function tokenCount(count: number) {
  return several(count, "{n} [token|tokens]");
}

export function passCount(count: number) {
  return several(count, "{n} [pass|passes]");
}

/** How long something took, with three digits or so: 9.1 ms, 120 ms, 1.24 s. */
export function duration(seconds: number) {
  if (seconds >= 0.9995) return `${fixed(seconds, 2)} s`;
  return `${fixed(seconds * 1000, seconds >= 0.09995 ? 0 : 1)} ms`;
}

/** A time on an axis of so many seconds, in the unit of the whole axis. */
export function clockWords(seconds: number, span: number) {
  return span >= 1 ? `${fixed(seconds, 2)} s` : `${Math.round(seconds * 1000)} ms`;
}

/** The marks of an axis of so many seconds after its start: 1, 2 or 5 times some power of ten apart, about six in all. */
export function axisMarks(span: number) {
  if (!(span > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(span / 6));
  const step = ([1, 2, 5].find((n) => n * power >= span / 6) ?? 10) * power;
  const unit = span >= 1 ? { name: "s", of: 1 } : { name: "ms", of: 0.001 };
  const digits = step >= unit.of ? 0 : Math.ceil(-Math.log10(step / unit.of));
  return Array.from({ length: Math.floor(span / step + 1e-6) }, (_, i) => {
    const seconds = (i + 1) * step;
    return { seconds, words: `${number(seconds / unit.of, digits)} ${unit.name}` };
  });
}
