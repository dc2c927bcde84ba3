// How long the sentences of a round stay at a pace for reading: as long as it takes to read each of them. Pure, no DOM.

import { NOWHERE } from "../shared/phases.ts";
import { verdictsOf, wallOf } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { captionOf } from "./stage_text.ts";

const WORDS_A_MINUTE = 225;

/** Seconds to look from the desk to the sentence and back. */
const BEAT_S = 0.5;

/** Seconds of a sentence that has been read before in this run: long enough to see that it is the same, and what moves. */
const GLANCE_S = 0.9;

/**
 * The sentences of one round, in their order: while it is drafted, read, judged and committed. `rejection` is empty where no draft is
 * rejected, `draft` and `question` where there is none to judge.
 */
function sentencesOf(run: Run, index: number) {
  const round = run.rounds[index];
  const drafts = round.drafted.length;
  const at = { ...NOWHERE, index, typed: drafts };
  const judged = verdictsOf(round);
  return {
    draft: drafts ? captionOf(run, { ...at, phase: "draft" }) : "",
    verify: captionOf(run, { ...at, phase: "verify" }),
    question: drafts ? captionOf(run, { ...at, phase: "judge", swept: true }) : "",
    rejection: wallOf(round) < 0 ? "" : captionOf(run, { ...at, phase: "judge", swept: true, judged }),
    commit: captionOf(run, { ...at, phase: "commit", swept: true, judged, landed: true }),
  };
}

/** Seconds to read a sentence; none for an empty one. */
function secondsToRead(sentence: string) {
  const words = sentence.split(/\s+/).filter(Boolean).length;
  return words ? BEAT_S + (60 * words) / WORDS_A_MINUTE : 0;
}

/**
 * Seconds of each sentence of a round. Those that were read in an earlier round stay for a glance.
 * @param read the sentences read so far; those of this round are added.
 */
export function readingTimes(run: Run, index: number, read: Set<string>) {
  const sentences = sentencesOf(run, index);
  const seconds = (sentence: string) => (read.has(sentence) ? GLANCE_S : secondsToRead(sentence));
  const named = Object.entries(sentences).map(([name, sentence]) => [name, seconds(sentence)]);
  for (const sentence of Object.values(sentences)) if (sentence) read.add(sentence);
  return Object.fromEntries(named) as Record<keyof typeof sentences, number>;
}
