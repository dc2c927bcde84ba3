// What to try next after a run, as one change of the settings, or that there is nothing better. Pure, no DOM.

import type { Drafters } from "../shared/json_types.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import type { Reason } from "./end_cause.ts";

/**
 * `change` has settings by their names in the page's address, as it writes them; null where nothing is to be changed. `how` says how the
 * words are known.
 */
export type Suggestion = { words: string; change: Record<string, string> | null; how: string };

/** The length of a text that is long enough to compare. */
const LONG_ENOUGH = 64;

/** Heads that draft at little cost and are right often, the first that there is. */
const HEADS = ["eagle", "dspark", "dflash", "medusa"];

/**
 * @param run one that is over.
 * @param reason what decided how fast it was.
 * @param there the drafters that the page offers for these models.
 */
export function suggestionOf(
  run: Run,
  reason: Reason,
  there: { able: string[]; drafters: Drafters },
): Suggestion | null {
  if (reason === "busy") return plainly(word("Run it again while this machine does nothing else."));
  if (reason === "plain" || reason === "unknown") return null;
  if (reason === "paid") return again(run, there);
  return (reason === "short" ? longer(run) : null) ?? otherWay(run, there);
}

function plainly(words: string) {
  return { words, change: null, how: "" };
}

/** The same prompt a second time, with a drafter that copies from the first answer. */
function again(run: Run, { able, drafters }: { able: string[]; drafters: Drafters }): Suggestion | null {
  if (run.rounds.some(({ source_text }) => typeof source_text === "number")) return null;
  const { name } = run.drafterText;
  const copies = able.find((each) => drafters[each]?.remembers && [each, drafters[each].otherwise].includes(name));
  if (!copies) return null;
  return {
    words: word("Again: the second time is faster"),
    change: { drafter: copies, k: "auto", policy: "auto" },
    how: word("With the same prompt it copies from this answer."),
  };
}

function longer({ stop, limit }: Run) {
  if (stop !== "length" || limit >= LONG_ENOUGH) return null;
  return {
    words: word("Write {n} tokens", { n: LONG_ENOUGH }),
    change: { max_new_tokens: String(LONG_ENOUGH) },
    how: "",
  };
}

/** For a run that lost: a trained head, else to draft only while it pays, else to leave the drafter to specviz. */
function otherWay(run: Run, { able, drafters }: { able: string[]; drafters: Drafters }): Suggestion | null {
  const { name } = run.drafterText;
  const head = HEADS.find((each) => able.includes(each));
  if (head && !name.startsWith(head)) {
    return {
      words: word("Use the {drafter}", { drafter: word(drafters[head].label) }),
      change: { drafter: head, k: "auto", policy: "auto" },
      how: word("How it does on this prompt is known when it has run."),
    };
  }
  if (run.policy !== "auto") {
    return {
      words: word("Draft only while it pays"),
      change: { policy: "auto" },
      how: word("Costs measured here and the acceptance so far decide how many tokens a round drafts."),
    };
  }
  if (!run.chosen && able.length) {
    return {
      words: word("Let specviz choose what drafts"),
      change: { drafter: "auto", k: "auto", policy: "auto" },
      how: word("By what passes cost here, and how often each drafter was right before."),
    };
  }
  return plainly(word("On this prompt plain decoding is the fastest that is known."));
}
