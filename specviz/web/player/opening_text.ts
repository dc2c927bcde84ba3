// The title of a recording: how many passes the target needs alone, and how many with a draft. Pure, no DOM.

import { passCount, tokenCount } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";

/** One line of the title, and how many passes it speaks of. */
type TitleLine = { words: string; passes: number };

/**
 * The lines of the title, counted in the recording. Where both runs wrote as many tokens the passes are compared as they are; else each
 * line says of how many tokens. Without a plain run there is one line.
 */
export function titleOf({ rounds, ids, plain, drafterText }: Run): TitleLine[] {
  const [drafted, alone] = [rounds.length, plain.rounds.length];
  const [own, others] = [ids, plain.ids].map(({ length }) => tokenCount(length));
  if (!plain.done || !alone) {
    const given = { tokens: own, passes: passCount(drafted) };
    return [{ words: word("The large model with a draft: {tokens} in {passes}.", given), passes: drafted }];
  }
  const draft = drafterText.name === "model" ? word("a small draft model") : drafterText.label;
  if (plain.ids.length === ids.length) {
    return [
      { words: word("The large model alone: {passes}.", { passes: passCount(alone) }), passes: alone },
      { words: word("With {draft}: {passes}.", { draft, passes: drafted }), passes: drafted },
    ];
  }
  const [first, second] = [
    { passes: passCount(alone), tokens: others },
    { draft, passes: passCount(drafted), tokens: own },
  ];
  return [
    { words: word("The large model alone: {passes} for {tokens}.", first), passes: alone },
    { words: word("With {draft}: {passes} for {tokens}.", second), passes: drafted },
  ];
}
