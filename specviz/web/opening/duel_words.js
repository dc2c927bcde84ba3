// What the opening says, in words counted and measured in the recording. Pure, no DOM.

/** @import { Run } from "../shared/types" */
/** @import { DuelMoment } from "./duel_timeline.js" */

import { capitalised } from "../shared/drafter_text.js";
import { isTrusted, speedupOver } from "../shared/figures.js";
import { counted, duration, number, textPieces, tokenLabel } from "../shared/labels.js";
import { hasRejection, judgedOf, tokensOf, wallOf } from "../shared/round.js";

export const TITLE = "The same text, written twice";
export const SOURCE = "Two real models, recorded, and here in slow motion: both lanes share one clock.";
export const HOW_SLOW =
  "The clock is slower where something happens for the first time, and stands still while verdicts are shown. Both lanes always show the same moment of the recording.";
export const ALONE = { name: "The large model alone", does: "one pass for every token" };

/**
 * The name of the lower lane, and what happens in it.
 * @param {Run} run
 */
export function helpedBy(run) {
  return { name: `With ${helperOf(run)}`, does: "it guesses, one pass of the large model checks" };
}

/** @param {Run} run */
function helperOf({ drafterText }) {
  return drafterText.name === "model" ? "a small draft model" : drafterText.label;
}

/**
 * A sentence about what happens at a moment.
 * @param {Run} run
 * @param {DuelMoment} moment
 */
export function captionAt(run, { phase, index, plainPasses }) {
  const round = run.rounds[index];
  if (phase === "before") return "";
  if (!round) {
    const [alone, helped] = [run.plain, run].map(({ rounds }) => counted(rounds.length, "pass"));
    if (plainPasses === run.plain.rounds.length) return `Alone: ${alone}. With guesses: ${helped}.`;
    return `Finished after ${helped}. Alone, the large model is still writing.`;
  }
  const first = run.rounds.findIndex((each) => hasRejection(each) === hasRejection(round)) === index;
  if (!first) return "Guess, check in one pass, keep what is right.";
  if (phase === "draft") return `${capitalised(helperOf(run))} guesses ${counted(round.drafted.length)}.`;
  if (phase === "pass") return "One pass of the large model checks all of them.";
  if (!hasRejection(round))
    return `All right, and the pass adds a token of its own: ${counted(tokensOf(round))} for one pass.`;
  const label = tokenLabel(run.bytes, round.drafted[wallOf(round)]?.token ?? null).text.replace(/^·/, "");
  return `“${label}” is wrong: the large model writes its own token there.`;
}

/**
 * The closing line; `speedup` is null where the recording's times cannot be trusted.
 * @param {Run} run
 * @returns {{ says: string, speedup: { where: string, value: string, how: string } | null }}
 */
export function closingWords(run) {
  const { rounds, plain } = run;
  const same = plain.ids.length === run.ids.length && run.ids.every((id, i) => id === plain.ids[i]);
  const fewer = number(plain.rounds.length / rounds.length).replace(/\.0$/, "");
  return { says: `${same ? "Same text. " : ""}${fewer} times fewer passes.`, speedup: speedupOf(run) };
}

/** @param {Run} run */
function speedupOf(run) {
  const { speedup } = speedupOver(run.plain, run, run.rounds.length);
  if (speedup === null || !isTrusted(run)) return null;
  const known = new Map(run.card?.versions ?? []);
  const [machine, date, timed] = ["machine", "recorded", "timed"].map((name) => known.get(name) ?? "");
  const day = date && new Date(`${date}T00:00Z`).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const how = [
    `Speedup: for the same tokens, the time of plain decoding (${duration(run.plain.ends.at(-1) ?? 0)}) over the time of this run (${duration(run.ends.at(-1) ?? 0)}), each measured alone.`,
    timed && `Shown is ${timed}.`,
    "Reading the prompt is not counted on either side.",
  ];
  return {
    where: [machine ? `On ${machine}` : "Where it was recorded", day].filter(Boolean).join(", "),
    value: `${number(speedup)}× as fast`,
    how: how.filter(Boolean).join(" "),
  };
}

/**
 * All of the opening as a text, for who cannot see it.
 * @param {Run} run
 */
export function asText(run) {
  const { rounds, plain, ids, bytes } = run;
  const text = textPieces(bytes, ids).join("").replace(/\s+/g, " ").trim();
  const checked = rounds.reduce((sum, round) => sum + judgedOf(round), 0);
  const accepted = rounds.reduce((sum, round) => sum + round.accepted.length, 0);
  const { says, speedup } = closingWords(run);
  return [
    `An animation of two recorded runs. The prompt is “${run.prompt.replace(/\s+/g, " ").trim()}”, and both write “${text}”.`,
    `The large model alone needs ${counted(plain.rounds.length, "pass")}, one for every token.`,
    `With ${helperOf(run)}, which guesses the next tokens, it needs ${counted(rounds.length, "pass")}: each checks all guesses at once, and ${accepted} of the ${checked} checked guesses are accepted. A rejected guess is replaced by the large model's own token.`,
    says,
    speedup && `${speedup.where}: ${speedup.value}. ${speedup.how}`,
  ]
    .filter(Boolean)
    .join(" ");
}
