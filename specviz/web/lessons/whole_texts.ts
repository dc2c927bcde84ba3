// The whole text of a run beside that of the plain run, token by token: what a lesson shows at the end instead of the last round.

import { el } from "../shared/dom.ts";
import type { Looks } from "../shared/json_types.ts";
import { duration, passCount, promptPieces, textPieces } from "../shared/labels.ts";
import { originsOf } from "../shared/round.ts";
import type { Run, Track } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";

/** The states of a token of a text, in the order of their signs. */
const STATES = ["accepted", "corrected", "bonus"];

export class WholeTexts {
  node = el("div", "whole-texts");

  show(run: Run, looks: Looks) {
    const { plain, bytes, promptIds } = run;
    const drafts = run.rounds.some(({ drafted }) => drafted.length);
    const prompt = promptPieces(bytes, promptIds, run.prompt).pieces.join("");
    const differs = plain.rounds.length ? firstDifference(run.ids, plain.ids) : null;
    const alone = textOf(word("The large model alone"), drafts ? plain : run, prompt, differs);
    const { picture, who } = run.drafterText;
    const helped = picture === "model" ? word("With a small draft") : who;
    const own = drafts ? [textOf(helped, run, prompt, differs)] : [];
    const both = plain.rounds.length ? [alone, ...own] : drafts ? own : [alone];
    const states = STATES.filter((state) => both.some((text) => text.querySelector(`.token.${state}`)));
    const signs = states.map((state) => el("span", `key ${state}`, `${looks[state].mark} ${looks[state].word}`));
    this.node.replaceChildren(
      ...(plain.rounds.length ? [verdictOf(run, differs)] : []),
      el("div", "whole-columns", ...both),
      el("p", "whole-signs", ...signs),
    );
  }
}

/** Index of the first token in which two texts differ; null where they are the same. */
function firstDifference(ids: number[], others: number[]) {
  const longest = Math.max(ids.length, others.length);
  for (let i = 0; i < longest; i += 1) if (ids[i] !== others[i]) return i;
  return null;
}

function verdictOf({ ids, plain }: Run, differs: number | null) {
  if (differs === null) return el("p", "whole-verdict same", several(ids.length, "{n} = {n} [token|tokens] identical"));
  const given = { own: ids.length, plain: plain.ids.length, from: differs + 1 };
  return el("p", "whole-verdict", word("{plain} and {own} tokens: they differ from token {from} on", given));
}

/** One text with its passes and their time: each token in the colour of how it came, `differs` the first that differs in the other text. */
function textOf(name: string, track: Track, prompt: string, differs: number | null) {
  const { bytes, promptIds, ids, rounds } = track;
  const pieces = textPieces(bytes, [...promptIds, ...ids]).slice(promptIds.length);
  const states = rounds.flatMap(originsOf);
  const tokens = pieces.map((piece, i) => {
    const [lead] = /^\s*/.exec(piece) ?? [""];
    const ink = el("span", `ink ${i === differs ? "differs" : ""}`, piece.slice(lead.length));
    const token = el("span", `token ${states[i]}`, lead, ink);
    ink.dataset.token = String(i + 1);
    return token;
  });
  const took = `${passCount(rounds.length)}, ${duration(track.ends.at(-1) ?? 0)}`;
  return el(
    "div",
    { class: "whole-text manuscript", role: "group", "aria-label": name },
    el("p", "whole-name", el("b", "", name), " ", el("span", "", took)),
    el("span", "prompt", prompt),
    ...tokens,
  );
}
