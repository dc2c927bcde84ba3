// What the card at the end of a run says: its passes, its speedup, what decided and what to try. Pure, no DOM.

import type { Drafters } from "../shared/json_types.ts";
import { number, percent } from "../shared/labels.ts";
import { NOWHERE } from "../shared/phases.ts";
import { idsIn } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { causeOf } from "./end_cause.ts";
import { suggestionOf } from "./end_suggestion.ts";
import { type FigureText, headlineOf } from "./figures_dial_text.ts";
import { comparedWithPlain } from "./stage_text.ts";

export type EndWords = ReturnType<typeof endWordsOf>;

/** @param run one that is over, with a round. */
export function endWordsOf(run: Run, there: { able: string[]; drafters: Drafters }) {
  const { mood, speedup, perPass } = headlineOf(run, { ...NOWHERE, index: run.rounds.length - 1, joined: true });
  const { reason, words, how } = causeOf(run);
  const tokens = run.rounds.flatMap(idsIn).length;
  const drafted = run.totals[run.totals.length - 1].accepted;
  return {
    passes: several(run.rounds.length, "{n} [pass|passes] instead of {tokens}", { tokens }),
    passesHow: perPass.how,
    mood,
    speedup,
    small: smallOf(run, mood, speedup),
    drafted: word("{drafted} drafted and accepted", { drafted }),
    draftedHow: acceptanceWords(run),
    own: word("{own} the target's own", { own: tokens - drafted }),
    /** Whether the text is the plain one; "" where nothing is to be said of it. */
    same: comparedWithPlain(run) ?? "",
    cause: words,
    causeHow: how,
    suggestion: suggestionOf(run, reason, there),
  };
}

/** The passes and the speedup of the latest run of each prompt that copied from no earlier text. */
const firstTimes = new Map<string, string>();

/** What this prompt took the first time, for a run that copied from its answer; else "", and it is noted. */
export function firstTimeOf(run: Run, { passes, mood, speedup }: EndWords) {
  const key = JSON.stringify([run.prompt, run.card?.target]);
  if (run.rounds.some(({ source_text }) => typeof source_text === "number")) {
    const before = firstTimes.get(key);
    return before ? word("The first time: {before}.", { before }) : "";
  }
  firstTimes.set(key, mood === "count" || mood === "busy" ? passes : `${passes}, ${speedup.value}`);
  return "";
}

/** The acceptance of the run in the numbers of engines and papers, which differ; `specviz.trace.metrics.acceptance` computes the same. */
function acceptanceWords({ rounds, totals }: Run) {
  const drafts = rounds.filter(({ drafted }) => drafted.length);
  const { accepted, judged } = totals[totals.length - 1];
  if (!judged) return "";
  const all = drafts.reduce((sum, { drafted }) => sum + drafted.length, 0);
  const length = accepted / drafts.length;
  return [
    word("Accepted of those checked: {share}, the papers' α.", { share: percent(accepted / judged) }),
    word("Of those drafted: {share}, the acceptance rate of vLLM and llama.cpp.", { share: percent(accepted / all) }),
    word(
      "A draft brings {length} accepted tokens; with the target's own token {longer}: the mean acceptance length of vLLM, EAGLE's τ.",
      {
        length: number(length, 2),
        longer: number(length + 1, 2),
      },
    ),
  ].join(" ");
}

/** The two small lines of the figure; none where it is not trusted. */
function smallOf({ timing }: Run, mood: string, { small, beside }: FigureText) {
  if (mood === "busy") return timing && !timing.trusted ? "" : small;
  return [small, beside].filter(Boolean).join(", ");
}

/** The card in sentences, for a screen reader. */
export function spokenOf({ passes, mood, speedup, cause, suggestion }: EndWords) {
  const speed = mood === "count" || mood === "busy" ? "" : ` ${speedup.value} ${speedup.label}.`;
  const advice = suggestion ? ` ${suggestion.words.replace(/\.$/, "")}.` : "";
  return `${word("The end: {passes}.", { passes })}${speed} ${cause}${advice}`;
}
