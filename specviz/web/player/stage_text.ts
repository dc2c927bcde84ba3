// What the stage says at a moment: pure functions of (run, position), no DOM.

import { draftingOf, NOT_DRAFTING, selectedIn, verifyingOf } from "../shared/drafter_text.ts";
import { divergenceOf, gapOf } from "../shared/figures.ts";
import type { Drafted, Looks, Round, Stop, View } from "../shared/json_types.ts";
import { number, percent, tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { atOne } from "../shared/read_recording.ts";
import { branches, isCopy, isResting, judgedAsBlock, rejectedBeside, slotAt, wallOf } from "../shared/round.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { english, several, word } from "../shared/words.ts";
import { closingReason, comparedOf, drawWords, passesAlone, quoted, ruleAt } from "./reasons_text.ts";

const ENDS: Record<Stop, string> = {
  end_of_text: english("The model ended its text."),
  length: english("The requested length is reached."),
  cancelled: english("Stopped: this is the part that was written."),
};

const WAITS: Partial<Record<View["status"], string>> = {
  queued: english("Waiting in line"),
  loading: english("Getting the models ready"),
  running: english("Reading the prompt"),
};

/** One sentence for the phase that is shown. */
export function captionOf(run: Run, position: Position) {
  const round = run.rounds[position.index];
  if (!round) return firstWords(run);
  const rests = isResting(round);
  if (position.phase === "draft")
    return rests ? word(NOT_DRAFTING) : draftingOf(run.drafterText, round.drafted.length, isCopy(round));
  if (position.phase === "verify") {
    return `${rests ? `${word(NOT_DRAFTING)} ` : ""}${verifyingOf(run.drafterText, round.drafted.length)}`;
  }
  if (position.phase === "judge") return judging(run, position);
  return position.ended && run.finished ? endingOf(run) : committing(run, position);
}

/** What will happen, before the first round. */
function firstWords({ drafterText }: Run) {
  if (drafterText.name === "model") return word("A small model types ahead; a large one checks all of it in one pass.");
  const { who, does, checks } = drafterText;
  return word("{who}: {does}. The target model {checks}.", { who, does, checks });
}

function judging(run: Run, position: Position) {
  const round = run.rounds[position.index];
  if (judgedAsBlock(round)) return judgingBlock(run, round, position.judged);
  const wall = wallOf(round);
  if (wall >= 0 && slotAt(round, position, wall).judged) {
    const guesses = rejectedBeside(round, wall);
    const token = quoted(run, round.drafted[wall].token);
    if (guesses > 1) {
      return word("The target rejects {token} too: none of the {guesses} guesses there is right.", { token, guesses });
    }
    return rejecting(round, wall, token);
  }
  if (branches(round)) return word("From the root down: which of these would the target have written?");
  return word("From left to right: would the target have written this too?");
}

/**
 * The prefix whose verdict came last: they are judged from the whole block down to the longest that passes.
 * @param verdicts how many are shown
 */
function judgingBlock(run: Run, { drafted, accepted }: Round, verdicts: number) {
  const [all, passed] = [drafted.length, accepted.length];
  if (!verdicts) return word("As a block, from the right: do all {all} pass together?", { all });
  const long = Math.max(all - verdicts + 1, passed);
  const last = drafted[long - 1];
  const values = { long, compared: comparedOf(last), token: quoted(run, last.token) };
  if (long === passed) {
    if (long === 1) return word("The first guess passes: {compared}. It is kept.", values);
    if (long === all) return word("All {long} together pass: {compared}. They are kept.", values);
    return word("The first {long} pass: {compared}. They are kept.", values);
  }
  if (passesAlone(last)) return word("{token} is dropped: the text ends before it.", values);
  if (long === 1) return word("The first guess does not pass: {compared}. {token} is dropped.", values);
  if (long === all) return word("All {long} together do not pass: {compared}. {token} is dropped.", values);
  return word("The first {long} do not pass: {compared}. {token} is dropped.", values);
}

/** That a guess is rejected, and what becomes of those after it. */
function rejecting({ drafted }: Round, wall: number, token: string) {
  const after = drafted.filter((d, i) => i > wall && d.verdict === "discarded").length;
  if (!after) return word("The target rejects {token}.", { token });
  if (after === 1) return word("The target rejects {token}: the guess after it is thrown away.", { token });
  return word("The target rejects {token}: the guesses after it are thrown away.", { token });
}

function committing(run: Run, position: Position) {
  const round = run.rounds[position.index];
  const { closing } = round;
  const drafts = round.drafted.length;
  if (!closing) return word("The text ends here.");
  const own = quoted(run, closing.token);
  if (closing.how === "corrected") {
    const wall = wallOf(round);
    const guesses = rejectedBeside(round, wall);
    if (guesses > 1) {
      const values = { guesses, own };
      return word("None of the {guesses} guesses there was right: the target writes its own {own} instead.", values);
    }
    const token = quoted(run, round.drafted[wall].token);
    return word("The target writes its own {own} instead of {token}.", { own, token });
  }
  if (!drafts) return word("The target writes {own}.", { own });
  const accepted = round.accepted.length;
  if (accepted < drafts) {
    return word("The accepted path of {accepted} ends here: the same pass gives {own} as a bonus.", { accepted, own });
  }
  if (drafts === 1) return word("The guess is accepted: the same pass gives {own} as a bonus.", { own });
  return word("All {drafts} accepted: the same pass gives {own} as a bonus.", { drafts, own });
}

/** How the run ended, and whether the text is the one that plain decoding wrote. */
function endingOf(run: Run) {
  const end = run.stop ? word(ENDS[run.stop]) : "";
  return [end, comparedWithPlain(run)].filter((part) => part !== null).join(" ");
}

/** Logits that differ by less are one score: near 20 two numbers of a half precision are this far apart, and sums in float32 differ by this much. */
const TIES: Record<string, number> = { float16: 0.02, bfloat16: 0.15, float32: 0.0005 };

/** Whether the text is the one that plain decoding wrote; null where nothing is to be said of it. */
export function comparedWithPlain(run: Run) {
  const { lossy, noise } = run.drafterText;
  if (lossy) {
    return word("{lossy}: it is not the text of the target alone, nor drawn from its distribution.", { lossy });
  }
  const index = divergenceOf(run);
  if (index === null) return null;
  if (index < 0) {
    if (noise) return word("Plain decoding wrote the same, token for token, with the same noise.");
    return word("Plain decoding wrote the same, token for token.");
  }
  const gap = gapOf(run.plain.rounds[index]?.closing?.residual_top);
  const dtype = run.card?.dtype ?? word("this format");
  const values = { token: index + 1, dtype, gap: number(gap, 4) };
  if (gap === null) {
    return word(
      "Plain decoding differs at token {token}: {dtype} rounds differently for one token than for several.",
      values,
    );
  }
  if (gap <= (TIES[dtype] ?? TIES.float32)) {
    return word(
      "A tie at token {token}: the target's two highest logits are {gap} apart there, less than what {dtype} rounds away. Both texts are the target's own.",
      values,
    );
  }
  return word(
    "Plain decoding differs at token {token}, where its two highest logits are {gap} apart: {dtype} rounds differently for one token than for several.",
    values,
  );
}

/** One sentence for screen readers. */
export function summaryOf(run: Run, looks: Looks, index: number) {
  const round = run.rounds[index];
  const { closing } = round;
  const own = closing ? `, ${looks[closing.how].word}: ${tokenLabel(run.bytes, closing.token).text}` : "";
  const values = { round: index + 1, guesses: guessesOf(round), own };
  return word("Round {round}: {guesses}{own}.", values);
}

function guessesOf(round: Round) {
  const [accepted, all] = [round.accepted.length, round.drafted.length];
  if (all) return word("{accepted} of {all} guesses accepted", { accepted, all });
  return isResting(round)
    ? word("not drafting, because guesses cost more than they bring here")
    : word("nothing drafted");
}

/** The numbers of one slot, as far as the round has come; null where there is nothing to say yet. */
export function explanationOf(run: Run, position: Position, slot: Slot) {
  const round = run.rounds[position.index];
  if (!round) return null;
  if (slot === "closing") return position.landed ? closingReason(run, round) : null;
  const drafted = round.drafted[slot];
  if (!drafted || slot >= position.typed) return null;
  const selected = selectedIn(round);
  const [qAtOne, pAtOne] = [atOne(drafted.draft_top, drafted.token), atOne(drafted.target_top, drafted.token)];
  const unwarped = run.drafterText.certain && (selected ? pAtOne : qAtOne) !== null;
  const [q, p] = unwarped ? [selected ? 1 : qAtOne, pAtOne] : [drafted.draft_prob, drafted.target_prob];
  const at = unwarped
    ? ` ${word("(at temperature 1)")}`
    : run.drafterText.greedy
      ? ` ${word("(at temperature 0)")}`
      : run.drafterText.noise
        ? ` ${word("(with the noise)")}`
        : "";
  const own = selected
    ? word("{verb}, q = 1", { verb: word(selected.verb) })
    : word("draft q = {q}", { q: number(q, 3) });
  const parts = [`${quoted(run, drafted.token)}: ${own}`];
  if (position.swept) parts.push(word("target p = {p}", { p: number(p, 3) }));
  parts[parts.length - 1] += at;
  if (typeof drafted.confidence === "number") {
    const confidence = percent(drafted.confidence);
    parts.push(word("before drawing it the head gave this slot {confidence}", { confidence }));
  }
  if (slotAt(round, position, slot).judged) {
    const never = drafted.verdict === "discarded" && drafted.bound == null;
    parts.push(never ? word("never checked: thrown away") : comparisonOf(run, drafted));
  }
  return `${parts.join(", ")}.`;
}

function comparisonOf(run: Run, drafted: Drafted) {
  const { rule, noise, certain } = run.drafterText;
  const accepted = drafted.verdict === "accepted";
  if (drafted.target_prob === null) return accepted ? word("accepted") : word("rejected"); // a server's log has no probabilities
  if (rule === "block" && drafted.draw !== null)
    return accepted ? word("kept with the block") : word("no prefix of the block that is as long as this passes");
  if (drafted.draw === null) {
    if (!certain) return accepted ? word("accepted") : word("rejected");
    if (noise) {
      return accepted
        ? word("the target's choice with the same noise: accepted")
        : word("not the target's choice with the same noise: rejected");
    }
    return accepted
      ? word("the target's most likely token: accepted")
      : word("not the target's most likely token: rejected");
  }
  const { bound } = ruleAt(run, drafted);
  const drawn = drawWords(accepted, drafted.draw);
  if (bound === null) return drawn;
  const values = { share: percent(bound), drawn };
  if (rule === "lenient") return word("probability of acceptance {share} (LOSSY). {drawn}", values);
  return word("probability of acceptance {share}. {drawn}", values);
}

/** What the stage says before there is a round to show, and about a recording: where it comes from, and what to look for in it. */
export function noteOf(run: Run, view: View) {
  const stopped = run.stop === "cancelled" ? word(ENDS.cancelled) : "";
  if (run.rounds.length && view.origin) {
    const invitation = view.status === "opened" ? word("Press Run for one of your own.") : "";
    return [`${word(view.origin)}.`, word(view.look_for ?? ""), stopped, invitation].filter(Boolean).join(" ");
  }
  const again = view.live?.ended.speculative && view.what;
  if (run.rounds.length) return again ? `${again[0].toUpperCase()}${again.slice(1)} …` : stopped;
  const waits = WAITS[view.status];
  if (!waits) return word("Press Run to watch two models write.");
  const line = view.queue_position
    ? word(": {count} before you{time}", { count: view.queue_position, time: timeInLine(view.wait_s) })
    : "";
  return `${word(waits)}${line}${view.what ? `: ${view.what}` : ""} …`;
}

/** How long those before take, where that is known; `waiting_words` in job_queue.py says it with the same words. */
function timeInLine(seconds: number | null | undefined) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(1, Math.round(seconds));
  const time =
    seconds < 90 ? several(whole, "{n} [second|seconds]") : word("{n} minutes", { n: Math.round(seconds / 60) });
  return word(", about {time} by the latest jobs here", { time });
}
