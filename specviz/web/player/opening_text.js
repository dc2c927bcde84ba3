// The title of a recording: how many passes the target needs alone, and how many with a draft. Pure, no DOM.

/** @import { Run } from "../shared/types" */

import { several, word } from "../shared/words.js";

/**
 * One line of the title, and how many passes it speaks of.
 * @typedef {{ words: string, passes: number }} TitleLine
 */

/**
 * The lines of the title, counted in the recording. Where both runs wrote as many tokens the passes are compared as they are; else each
 * line says of how many tokens. Without a plain run there is one line.
 * @param {Pick<Run, "rounds" | "ids" | "plain" | "drafterText">} run
 * @returns {TitleLine[]}
 */
export function titleOf({ rounds, ids, plain, drafterText }) {
  const drafted = rounds.length;
  if (!plain.done || !plain.rounds.length) {
    return [
      {
        words: word("The large model with a draft: {tokens} in {passes}.", {
          tokens: several(ids.length, "{n} token", "{n} tokens"),
          passes: several(drafted, "{n} pass", "{n} passes"),
        }),
        passes: drafted,
      },
    ];
  }
  const alone = plain.rounds.length;
  const draft = drafterText.name === "model" ? word("a small draft model") : drafterText.label;
  /** @param {number} passes */
  const counted = (passes) => several(passes, "{n} pass", "{n} passes");
  if (plain.ids.length === ids.length) {
    return [
      { words: word("The large model alone: {passes}.", { passes: counted(alone) }), passes: alone },
      { words: word("With {draft}: {passes}.", { draft, passes: drafted }), passes: drafted },
    ];
  }
  const [own, others] = [ids, plain.ids].map(({ length }) => several(length, "{n} token", "{n} tokens"));
  return [
    {
      words: word("The large model alone: {passes} for {tokens}.", { passes: counted(alone), tokens: others }),
      passes: alone,
    },
    {
      words: word("With {draft}: {passes} for {tokens}.", { draft, passes: counted(drafted), tokens: own }),
      passes: drafted,
    },
  ];
}
