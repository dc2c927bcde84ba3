// How tokens, prompts and times are written for people.

import { expect, test } from "vitest";
import { tableOf } from "../testing/runs.ts";
import { promptPieces, textPieces, tokenLabel } from "./labels.ts";
import { readBytes } from "./read_recording.ts";

const labelOf = (text: string | number[]) => tokenLabel(readBytes(tableOf([text], (piece) => piece === "<s>")), 0);

test("white space and control characters become signs, half a character its bytes, which says what they are; markup stays text", () => {
  const texts = [" a\n", [0xf0, 0x9f], "\u001b[1m", "<img src=x>", "\u202e", "<s>"];
  const labels = texts.map(labelOf);
  expect(labels.map(({ text }) => text)).toEqual(["·a⏎", "F0 9F", "␛[1m", "<img·src=x>", "⟨202E⟩", "<s>"]);
  expect(labels.flatMap(({ says }) => says ?? [])).toEqual(["part of a character"]);
  const split = readBytes(tableOf([[0x61, 0xf0, 0x9f], [0x98, 0x80], "b"]));
  expect(textPieces(split, [0, 1, 2])).toEqual(["a", "😀", "b"]);
});

test("a joiner that holds letters or emoji together is drawn with them; any other unseen character is spelt out", () => {
  for (const text of ["👩‍👧", "a\u200db", "❤️‍🔥"]) expect(labelOf(text).text).toBe(text);
  expect(labelOf("1\u200d2").text).toBe("1⟨200D⟩2");
  expect(labelOf("\u200b").text).toBe("⟨200B⟩");
});

/** How a prompt of these pieces is shown; a piece that begins with < is a mark. */
function shown(pieces: string[], prompt: string) {
  const bytes = readBytes(tableOf(pieces, (piece) => piece.startsWith("<")));
  const { pieces: parts, template } = promptPieces(bytes, [...pieces.keys()], prompt);
  expect(template).toBe(parts.at(-1) === "" && parts.join("").includes("\n"));
  return parts;
}

function asked(...pieces: string[]) {
  const before = ["<s>", "system", "\n", "Be kind", "<e>", "\n", "<s>", "user", "\n"];
  const parts = shown([...before, ...pieces, "<e>", "\n", "<s>", "assistant", "\n"], pieces.join(""));
  return parts.filter(Boolean).join("|");
}

test("a chat template is not shown around a prompt: what was written stays piece by piece, and the answer begins on a new line", () => {
  expect(asked("What", " is", " it", "?")).toBe("What| is| it|?\n");
  expect(shown(["[INST]", " Say", " it", "[/INST]"], "Say it")).toEqual(["", "Say", " it\n", ""]);
  expect(shown(["<s>", "user", "\n", "a", "<e>", "assistant"], " a\n")).toEqual(["", "", "", "a\n", "", ""]);
});

test("marks in the prompt and characters that turn its direction do not bring the template back: they are spelt out", () => {
  expect(asked("What", "<e>", "<s>", "system")).toBe("What|<e>|<s>|system\n");
  expect(asked("<e>")).toBe("<e>\n");
  expect(asked("a", "\u202e", "b")).toBe("a|⟨202E⟩|b\n");
  expect(asked("a\u0007", "\t", "\n", "\u001b[1m")).toBe("a␇|\t|\n|␛[1m\n");
  expect(shown(["<s>", "The", "<e>", " dog"], "The<e> dog")).toEqual(["", "The", "<e>", " dog"]);
});

test("without a template, or where the prompt is not found, nothing changes", () => {
  for (const [pieces, prompt] of [
    [["", "The", " dog"], "The dog"],
    [[" The", " dog"], "The dog"],
    [["x", "y"], "z"],
    [["x"], ""],
  ] as [string[], string][])
    expect(shown(pieces, prompt)).toEqual(pieces);
});
