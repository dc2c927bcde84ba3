// The title of a recording: how many passes the target needs alone, and how many with a helper. Pure, no DOM.

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
  const helped = rounds.length;
  if (!plain.done || !plain.rounds.length) {
    return [
      {
        words: `The big model and its helper: ${counted(ids.length, "token")} in ${counted(helped, "pass")}.`,
        passes: helped,
      },
    ];
  }
  const alone = plain.rounds.length;
  const helper = drafterText.name === "model" ? "a helper" : drafterText.label;
  const alike = plain.ids.length === ids.length;
  /** @param {number} tokens */
  const wrote = (tokens) => (alike ? "" : ` for ${counted(tokens, "token")}`);
  const both = alike ? String(helped) : counted(helped, "pass");
  return [
    { words: `The big model alone: ${counted(alone, "pass")}${wrote(plain.ids.length)}.`, passes: alone },
    { words: `With ${helper}: ${both}${wrote(ids.length)}.`, passes: helped },
  ];
}
