// How a token, a text and a number are written for people. No DOM.

const SIGNS = new Map([["\n", "⏎"], ["\t", "⇥"], ["\r", "␍"], ["\u00a0", "⍽"], [" ", "·"]]);

// A joiner between these holds letters or emoji together and is not spelt out: they are drawn as one.
const HELD_BEFORE = /^[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u, HELD_AFTER = /^[\p{L}\p{Extended_Pictographic}]/u;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu;

// A token alone, for a slot: white space and control characters shown, half a character as its bytes.
function tokenLabel(bytes, id) {
  if (id === null) return { text: "?", raw: true }; // another token, and which is not known
  const entry = bytes.get(id);
  if (!entry) return { text: `#${id}`, raw: true };
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(entry.data);
  } catch {
    const hex = [...entry.data].map((b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    return { text: hex, raw: true };
  }
  if (!text) return { text: "∅", raw: true };
  if (entry.special) return { text, raw: true };
  const parts = text.split(/([\u200c\u200d])/u); // every second one is a joiner
  const held = (i) => HELD_BEFORE.test([...parts[i - 1]].pop()) && HELD_AFTER.test(parts[i + 1]);
  return { text: parts.map((part, i) => (i % 2 && held(i) ? part : [...part].map(visible).join(""))).join(""), raw: false };
}

function visible(c) {
  if (SIGNS.has(c)) return SIGNS.get(c);
  const code = c.codePointAt(0);
  if (code < 32) return String.fromCodePoint(0x2400 + code);
  if (code === 127) return "␡";
  const unseen = (code >= 0x80 && code < 0xa0) || /[\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u.test(c);
  return unseen ? `⟨${code.toString(16).toUpperCase()}⟩` : c;
}

// The pieces of a text, one for each id: a character split over tokens appears with the token that completes it. Characters that
// would turn the text behind them around are spelt out.
function textPieces(bytes, ids) {
  const decoder = new TextDecoder("utf-8");
  return ids.map((id) => {
    const entry = bytes.get(id);
    return !entry || entry.special ? "" : decoder.decode(entry.data, { stream: true }).replace(TURNING, visible);
  });
}

// A number for people; a dash where there is none.
function number(value, digits = 1) {
  return Number.isFinite(value) ? value.toFixed(digits) : "–";
}
