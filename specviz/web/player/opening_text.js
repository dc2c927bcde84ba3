// The title of a recording: how many passes the target needs alone, and how many with a draft. Pure, no DOM.

/** @import { Run } from "../shared/types" */

import { counted } from "../shared/labels.js";

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
        words: `The large model with a draft: ${counted(ids.length, "token")} in ${counted(drafted, "pass")}.`,
        passes: drafted,
      },
    ];
  }
  const alone = plain.rounds.length;
  const draft = drafterText.name === "model" ? "a small draft model" : drafterText.label;
  const alike = plain.ids.length === ids.length;
  /** @param {number} tokens */
  const wrote = (tokens) => (alike ? "" : ` for ${counted(tokens, "token")}`);
  const both = alike ? String(drafted) : counted(drafted, "pass");
  return [
    { words: `The large model alone: ${counted(alone, "pass")}${wrote(plain.ids.length)}.`, passes: alone },
    { words: `With ${draft}: ${both}${wrote(ids.length)}.`, passes: drafted },
  ];
}
