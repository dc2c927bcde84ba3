// What of a round stands in the text itself at a moment: its guesses at the caret, as chips of their own width. Pure, no DOM.

import type { Round } from "../shared/json_types.ts";
import { textPieces, tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { isResting, wallOf } from "../shared/round.ts";
import type { ByteTable, DrafterText, Node2D, Run } from "../shared/run_types.ts";
import { areAlike, drawnHead } from "../shared/trained_heads.ts";
import { word } from "../shared/words.ts";
import { kindOf } from "./token_slot.ts";

/**
 * A token as it stands in a line: the spaces before it, and what is seen of it. What the eye cannot find in a line (a line break, white
 * space alone, half a character) is written as on a card.
 */
export function inLine(bytes: ByteTable, id: number | null) {
  const { text, raw, says = "" } = tokenLabel(bytes, id);
  const [piece] = raw || id === null ? [""] : textPieces(bytes, [id]);
  const word = piece.trimStart();
  if (!word || /[\n\r\t]/.test(piece)) return { lead: "", text, raw, says };
  return { lead: piece.slice(0, piece.length - word.length), text: word, raw, says };
}

/**
 * The kind of each guess that stands at the caret, empty where it does not: not typed yet, or in the text by now. `final` is how many
 * of them belong to the text already, `replaced` the one whose place the target's own token has taken, -1 for none.
 */
export function guessesAt({ drafterText }: Run, round: Round, position: Position) {
  const { drafted, closing } = round;
  const { landed, typed, phase } = position;
  const replaced = landed && closing?.how === "corrected" ? wallOf(round) : -1;
  const kinds = drafted.map(({ verdict }, i) => {
    if (landed && (verdict === "accepted" || i === replaced)) return "";
    if (i < typed) return kindOf(drafterText, round, position, i);
    return phase === "draft" && drawnHead(drafterText)?.order === "at once" ? "coming" : "";
  });
  const after = kinds.findIndex((kind) => kind !== "accepted");
  return { kinds, final: after < 0 ? kinds.length : after, replaced };
}

/** What stands at the caret in a round that has no guesses. */
export function noGuessWords({ drafterText }: Run, round: Round, { landed }: Position) {
  if (landed || round.drafted.length) return "";
  if (isResting(round)) return word("‖ not drafting");
  return drafterText.picture === "copy" ? word("no match: nothing to copy") : word("nothing drafted");
}

/**
 * Why the same word stands more than once in a column of a tree; empty where none does.
 * @param nodes where its guesses are drawn
 */
export function sameWordsNote(drafterText: Pick<DrafterText, "picture">, { drafted }: Round, nodes: Node2D[]) {
  const all = drafted.map(({ token }, i) => `${nodes[i].depth} ${token}`);
  if (new Set(all).size === all.length) return "";
  return areAlike(drafterText)
    ? word("The same words in every branch: the head guesses each position without seeing the guess before it.")
    : word("The same word in two branches is two guesses: each goes on from other words.");
}
