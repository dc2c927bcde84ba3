// What the target itself would have written at the position of each drafted token, as far as that is known. Pure, no DOM.
//
// At temperature 0 and with shared noise the target has one choice after every prefix. Where the round came to that position it
// follows from the verdicts: the accepted token, or the round's closing token; elsewhere only the recorded alternatives show it.
// At other settings there is no such choice until a number is drawn: the most likely token stands for it, and is labelled as that.

import type { Drafted, Round, Top } from "../shared/json_types.ts";
import { rejectedBeside } from "../shared/round.ts";
import type { Choice, DrafterText, Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { choiceAfter } from "./reasons_text.ts";

/** The target's choice at the position of a drafted token; null where it is not known. */
export function choiceAt({ drafterText }: Run, round: Round, index: number): Choice | null {
  const { parent, target_top: top } = round.drafted[index];
  if (drafterText.certain) return certainly(choiceAfter(round, parent) ?? onlyOne(top), drafterText);
  const first = round.drafted.findIndex((drafted) => drafted.parent === parent) === index;
  return likeliest(top, first || !rejectedBeside(round, index));
}

/** What the target writes where a random number accepted a draft: that draft, likeliest or not. */
export function acceptedChoice({ token, target_prob: share }: Drafted): Choice {
  return { token: token as number, word: word("accepted"), share };
}

/** The target's choice after the last token that it accepted, before the closing token lands; null where it is not known. */
export function closingChoice({ drafterText }: Run, { closing }: Round): Choice | null {
  if (!closing) return null;
  return drafterText.certain ? certainly(closing.token, drafterText) : likeliest(closing.residual_top, true);
}

/** How the two tokens of a pair compare once the draft is judged: a sign, and the word for it. */
export function comparison({ certain, rule }: DrafterText, accepted: boolean) {
  if (certain) return accepted ? { sign: "=", word: word("same") } : { sign: "≠", word: word("differs") };
  if (rule === "block") return accepted ? { sign: "✓", word: word("kept") } : { sign: "✕", word: word("not kept") };
  const ratio = rule === "lenient" ? "p/(l·q)" : "p/q";
  return accepted ? { sign: "✓", word: `u < ${ratio}` } : { sign: "✕", word: `u ≥ ${ratio}` };
}

function certainly(token: number | null, { noise }: DrafterText): Choice | null {
  return token === null
    ? null
    : { token, word: noise ? word("choice with the noise") : word("most likely"), share: null };
}

/** The most likely token, and its probability where the recorded one is the target's own and not what rejected siblings left of it. */
function likeliest(top: Top | undefined, whole: boolean): Choice | null {
  if (!top?.tokens.length || (top.tokens.length === 1 && top.rule[0] <= 0.5)) return null; // thinned to the drafted token alone
  return { token: top.tokens[0], word: word("most likely"), share: whole ? top.rule[0] : null };
}

/** The token that the rule left possible, where it is among those that were recorded. */
function onlyOne(top: Top | undefined) {
  const index = top?.rule.findIndex((share) => share > 0.5) ?? -1;
  return top && index >= 0 ? top.tokens[index] : null;
}
