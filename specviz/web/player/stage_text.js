// What the stage says at a moment: pure functions of (run, position), no DOM.

/** @import { Drafted, Looks, Position, Round, Run, Slotted, Stop, View } from "../shared/types" */

import { draftingOf, NOT_DRAFTING, selectedBy, verifyingOf } from "../shared/drafter_text.js";
import { divergenceOf, gapOf } from "../shared/figures.js";
import { number, percent, tokenLabel } from "../shared/labels.js";
import { atOne } from "../shared/read_recording.js";
import { branches, isResting, judgedAsBlock, rejectedBeside, slotAt, wallOf } from "../shared/round.js";
import { closingReason, comparedOf, drawWords, passesAlone, quoted, reasonOf, ruleAt } from "./reasons_text.js";
import { REPLANNED } from "./replan.js";

/** @type {Record<Stop, string>} */
const ENDS = {
  end_of_text: "The model ended its text.",
  length: "The requested length is reached.",
  cancelled: "Stopped: this is the part that was written.",
};

/** @type {Partial<Record<View["status"], string>>} */
const WAITS = { queued: "Waiting in line", loading: "Getting the models ready", running: "Reading the prompt" };

/**
 * One sentence for the phase that is shown.
 * @param {Run} run
 * @param {Position} position
 */
export function captionOf(run, position) {
  const round = run.rounds[position.index];
  if (!round) return firstWords(run);
  const rests = isResting(round);
  if (position.phase === "draft") return rests ? NOT_DRAFTING : draftingOf(run.drafterText, round.drafted.length);
  if (position.phase === "verify") {
    return `${rests ? `${NOT_DRAFTING} ` : ""}${verifyingOf(run.drafterText, round.drafted.length)}`;
  }
  if (position.phase === "judge") return judging(run, position);
  return position.ended && run.finished ? endingOf(run) : committing(run, position);
}

/**
 * What will happen, before the first round.
 * @param {Run} run
 */
function firstWords({ drafterText }) {
  if (drafterText.name === "model") return "A small model types ahead; a large one checks all of it in one pass.";
  return `${drafterText.who}: ${drafterText.does}. The target model ${drafterText.checks}.`;
}

/**
 * @param {Run} run
 * @param {Position} position
 */
function judging(run, position) {
  const round = run.rounds[position.index];
  if (judgedAsBlock(round)) return judgingBlock(run, round, position.judged);
  const wall = wallOf(round);
  if (wall >= 0 && slotAt(round, position, wall).judged) {
    const guesses = rejectedBeside(round, wall);
    const token = quoted(run, round.drafted[wall].token);
    if (guesses > 1) return `The target rejects ${token} too: none of the ${guesses} guesses there is right.`;
    return `The target rejects ${token}${thrownAway(round, wall)}.`;
  }
  if (branches(round)) return "From the root down: which of these would the target have written?";
  return "From left to right: would the target have written this too?";
}

/**
 * The prefix whose verdict came last: they are judged from the whole block down to the longest that passes.
 * @param {Run} run
 * @param {Round} round
 * @param {number} verdicts how many are shown
 */
function judgingBlock(run, { drafted, accepted }, verdicts) {
  const [all, kept] = [drafted.length, accepted.length];
  if (!verdicts) return `As a block, from the right: do all ${all} pass together?`;
  const long = Math.max(all - verdicts + 1, kept);
  const last = drafted[long - 1];
  const those = long === 1 ? "The first guess" : long === all ? `All ${all} together` : `The first ${long}`;
  const pass = `pass${long === 1 ? "es" : ""}`;
  if (long === kept) return `${those} ${pass}: ${comparedOf(last)}. ${long === 1 ? "It is" : "They are"} kept.`;
  const drops = `${quoted(run, last.token)} is dropped`;
  if (passesAlone(last)) return `${drops}: the text ends before it.`;
  return `${those} ${long === 1 ? "does" : "do"} not pass: ${comparedOf(last)}. ${drops}.`;
}

/**
 * What becomes of the guesses after a rejected one.
 * @param {Round} round
 * @param {number} wall
 */
function thrownAway({ drafted }, wall) {
  const after = drafted.filter((d, i) => i > wall && d.verdict === "discarded").length;
  if (!after) return "";
  return after === 1 ? ": the guess after it is thrown away" : ": the guesses after it are thrown away";
}

/**
 * @param {Run} run
 * @param {Position} position
 */
function committing(run, position) {
  const round = run.rounds[position.index];
  const { closing } = round;
  const drafts = round.drafted.length;
  if (!closing) return "The text ends here.";
  const own = quoted(run, closing.token);
  if (closing.how === "corrected") {
    const wall = wallOf(round);
    const guesses = rejectedBeside(round, wall);
    if (guesses > 1) return `None of the ${guesses} guesses there was right: the target writes its own ${own} instead.`;
    return `The target writes its own ${own} instead of ${quoted(run, round.drafted[wall].token)}.`;
  }
  if (!drafts) return `The target writes ${own}.`;
  const bonus = `the same pass gives ${own} as a bonus.`;
  if (round.accepted.length < drafts) return `The accepted path of ${round.accepted.length} ends here: ${bonus}`;
  return `${drafts === 1 ? "The guess is" : `All ${drafts}`} accepted: ${bonus}`;
}

/**
 * How the run ended, and whether the text is the one that plain decoding wrote.
 * @param {Run} run
 */
function endingOf(run) {
  if (run.replanned) {
    return `With k = ${run.k} the same text takes ${run.rounds.length} passes of the target. ${REPLANNED[0].toUpperCase()}${REPLANNED.slice(1)}.`;
  }
  const end = run.stop ? ENDS[run.stop] : "";
  if (run.drafterText.lossy) {
    return `${end} ${run.drafterText.lossy}: it is not the text of the target alone, nor drawn from its distribution.`;
  }
  const index = divergenceOf(run);
  if (index === null) return end;
  if (index < 0) {
    return `${end} Plain decoding wrote the same, token for token${run.drafterText.noise ? ", with the same noise" : ""}.`;
  }
  const gap = gapOf(run.plain.rounds[index]?.closing?.residual_top);
  const tie = gap === null ? "" : `, where its two highest logits are ${number(gap, 4)} apart`;
  const dtype = run.card?.dtype ?? "this format";
  return `${end} Plain decoding differs at token ${index + 1}${tie}: ${dtype} rounds differently for one token than for several.`;
}

/**
 * One sentence for screen readers.
 * @param {Run} run
 * @param {Looks} looks
 * @param {number} index
 */
export function summaryOf(run, looks, index) {
  const round = run.rounds[index];
  const { closing, accepted, drafted } = round;
  const own = closing ? `, ${looks[closing.how].word}: ${tokenLabel(run.bytes, closing.token).text}` : "";
  const name = run.replanned ? "Estimate, round" : "Round";
  const guesses = drafted.length
    ? `${accepted.length} of ${drafted.length} guesses accepted`
    : isResting(round)
      ? "not drafting, because guesses cost more than they bring here"
      : "nothing drafted";
  return `${name} ${index + 1}: ${guesses}${own}.`;
}

/**
 * The numbers of one slot, as far as the round has come; null where there is nothing to say yet.
 * @param {Run} run
 * @param {Position} position
 * @param {Slotted} slot
 */
export function explanationOf(run, position, slot) {
  const round = run.rounds[position.index];
  if (!round) return null;
  if (slot === "closing") return position.landed ? closingReason(run, round) : null;
  const drafted = round.drafted[slot];
  if (!drafted || slot >= position.typed) return null;
  if (run.replanned) return position.swept ? reasonOf(run, round, slot) : null;
  const selected = selectedBy(run.drafterText);
  const [qAtOne, pAtOne] = [atOne(drafted.draft_top, drafted.token), atOne(drafted.target_top, drafted.token)];
  const kept = run.drafterText.certain && (selected ? pAtOne : qAtOne) !== null;
  const [q, p] = kept ? [selected ? 1 : qAtOne, pAtOne] : [drafted.draft_prob, drafted.target_prob];
  const at = kept
    ? " (at temperature 1)"
    : run.drafterText.greedy
      ? " (at temperature 0)"
      : run.drafterText.noise
        ? " (with the noise)"
        : "";
  const parts = [
    `${quoted(run, drafted.token)}: ${selected ? `${selected.verb}, q = 1` : `draft q = ${number(q, 3)}`}`,
  ];
  if (position.swept) parts.push(`target p = ${number(p, 3)}`);
  parts[parts.length - 1] += at;
  if (typeof drafted.confidence === "number") {
    parts.push(`before drawing it the head gave this slot ${percent(drafted.confidence)}`);
  }
  if (slotAt(round, position, slot).judged) {
    const never = drafted.verdict === "discarded" && drafted.bound == null;
    parts.push(never ? "never checked: thrown away" : comparisonOf(run, drafted));
  }
  return `${parts.join(", ")}.`;
}

/**
 * @param {Run} run
 * @param {Drafted} drafted
 */
function comparisonOf(run, drafted) {
  const { rule, noise } = run.drafterText;
  const accepted = drafted.verdict === "accepted";
  if (drafted.target_prob === null) return accepted ? "accepted" : "rejected"; // a server's log has no probabilities
  if (rule === "typical") {
    return accepted
      ? "plausible enough for the typical rule (LOSSY): accepted"
      : "not plausible, even for the typical rule (LOSSY): rejected";
  }
  if (rule === "block" && drafted.draw !== null)
    return accepted ? "kept with the block" : "no prefix of the block that is as long as this passes";
  if (rule === "match" && drafted.draw !== null)
    return accepted ? "the target drew the same: accepted" : "the target drew another: rejected";
  if (drafted.draw === null) {
    const choice = noise ? "the target's choice with the same noise" : "the target's most likely token";
    return accepted ? `${choice}: accepted` : `not ${choice}: rejected`;
  }
  const { bound } = ruleAt(run, drafted);
  const chance =
    bound === null ? "" : `probability of acceptance ${percent(bound)}${rule === "lenient" ? " (LOSSY)" : ""}. `;
  return `${chance}${drawWords(accepted, drafted.draw)}`;
}

/**
 * What the stage says before there is a round to show, and about a recording: where it comes from, and what to look for in it.
 * @param {Run} run
 * @param {View} view
 */
export function noteOf(run, view) {
  const stopped = run.stop === "cancelled" ? ENDS.cancelled : "";
  if (run.rounds.length && view.origin) {
    const invitation = view.status === "opened" ? "Press Run for one of your own." : "";
    const made = `${view.origin} (${run.card?.dtype}, ${run.card?.device}).`;
    return [made, view.look_for, stopped, invitation].filter(Boolean).join(" ");
  }
  const again = view.live?.ended.speculative && view.what;
  if (run.rounds.length) return again ? `${again[0].toUpperCase()}${again.slice(1)} …` : stopped;
  const waits = WAITS[view.status];
  if (!waits) return "Press Run to watch two models write.";
  const line = view.queue_position ? `: ${view.queue_position} before you${timeInLine(view.wait_s)}` : "";
  return `${waits}${line}${view.what ? `: ${view.what}` : ""} …`;
}

/**
 * How long those before take, where that is known; `waits` in line.py says it with the same words.
 * @param {number | null | undefined} seconds
 */
function timeInLine(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(1, Math.round(seconds));
  const time = seconds < 90 ? `${whole} second${whole > 1 ? "s" : ""}` : `${Math.round(seconds / 60)} minutes`;
  return `, about ${time} by the latest jobs here`;
}
