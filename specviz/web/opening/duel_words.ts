// What the opening says, in words counted and measured in the recording. Pure, no DOM.

import { capitalised, NOBODY, NOT_DRAFTING } from "../shared/drafter_text.ts";
import { isTrusted, speedupOver } from "../shared/figures.ts";
import type { Round } from "../shared/json_types.ts";
import { duration, number, passCount, textPieces, tokenLabel } from "../shared/labels.ts";
import { hasRejection, isResting, judgedOf, tokensOf, wallOf } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { english, language, several, word } from "../shared/words.ts";
import type { DuelMoment } from "./duel_timeline.ts";

export const TITLE = english("The same text, written twice");
export const SOURCE = english("Two real models, recorded, and here in slow motion: both lanes share one clock.");
export const HOW_SLOW = english(
  "The clock is slower where something happens for the first time, and stands still while verdicts are shown. Both lanes always show the same moment of the recording.",
);
export const ALONE = {
  name: english("The large model alone"),
  does: english("one pass for every token"),
  paced: english("one pass for every token; its speed here is still being measured, shown is that at load"),
};

/** What the colours of the lower lane mean. */
export const HOW_TOKENS_COME = [
  { how: "accepted", words: english("a right guess") },
  { how: "corrected", words: english("in place of a wrong one") },
  { how: "bonus", words: english("one more from the same pass") },
];

/** The name of the lower lane, and what happens in it. */
export function helpedBy({ drafterText }: Run) {
  const { name, introduction } = drafterText;
  if (name === NOBODY) return { name: word("With nothing drafted"), does: word(ALONE.does) };
  return { name: word("With a small draft"), does: introduction };
}

/** A sentence about what happens at a moment. */
export function captionAt(run: Run, { phase, index, plainPasses }: DuelMoment) {
  const round = run.rounds[index];
  if (phase === "before") return "";
  if (!round) {
    const [alone, helped] = [run.plain, run].map(({ rounds }) => passCount(rounds.length));
    if (plainPasses === run.plain.rounds.length)
      return word("Alone: {alone}. With guesses: {helped}.", { alone, helped });
    return several(run.rounds.length, "Finished after {n} [pass|passes]. Alone, the large model is still writing.");
  }
  if (!round.drafted.length) return isResting(round) ? word(NOT_DRAFTING) : run.drafterText.idle;
  const right = isAllRight(round);
  const wall = wallOf(round);
  const first = run.rounds.find((other) => isAllRight(other) === right && wallOf(other) >= 0 === wall >= 0) === round;
  if (!first) return word("Guess, check in one pass, keep what is right.");
  if (phase === "draft") {
    const helper = { helper: capitalised(run.drafterText.introduction) };
    return several(round.drafted.length, "{helper}: {n} [guess|guesses].", helper);
  }
  if (phase === "pass" || (!right && wall < 0)) return word("One pass of the large model checks all of them.");
  if (right)
    return several(
      tokensOf(round),
      "All right, and the pass adds a token of its own: {n} [token|tokens] for one pass.",
    );
  const label = tokenLabel(run.bytes, round.drafted[wall].token).text.replace(/^·/, "");
  return word("“{label}” is wrong: the large model writes its own token there.", { label });
}

function isAllRight(round: Round) {
  return round.drafted.length > 0 && !hasRejection(round);
}

/** The closing line; `speedup` is null where the recording's times cannot be trusted. */
export function closingWords(run: Run) {
  const { rounds, plain } = run;
  const same = plain.ids.length === run.ids.length && run.ids.every((id, i) => id === plain.ids[i]);
  const fewer = number(plain.rounds.length / rounds.length).replace(/[.,]0$/, "");
  const passes = word("{fewer} times fewer passes.", { fewer });
  return { says: same ? `${word("Same text.")} ${passes}` : passes, speedup: speedupOf(run) };
}

function speedupOf(run: Run) {
  const { speedup } = speedupOver(run.plain, run, run.rounds.length);
  if (speedup === null || !isTrusted(run)) return null;
  const known = new Map(run.card?.versions ?? []);
  const [machine, date, timed] = ["machine", "recorded", "timed"].map((name) => known.get(name) ?? "");
  const format = new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(), {
    dateStyle: "long",
    timeZone: "UTC",
  });
  const day = date && format.format(new Date(`${date}T00:00Z`));
  const how = [
    word(
      "Speedup: for the same tokens, the time of plain decoding ({plain}) over the time of this run ({own}), each measured alone.",
      { plain: duration(run.plain.ends.at(-1) ?? 0), own: duration(run.ends.at(-1) ?? 0) },
    ),
    timed && word("Shown is {timed}.", { timed: word(timed) }),
    word("Reading the prompt is not counted on either side."),
  ];
  const where = [machine ? word("On {machine}", { machine }) : word("Where it was recorded"), day];
  const value = word("{speed}× as fast", { speed: number(speedup) });
  return { where: where.filter(Boolean).join(", "), value, how: how.filter(Boolean).join(" ") };
}

/** All of the opening as a text, for who cannot see it. */
export function asText(run: Run) {
  const { rounds, plain, ids, bytes } = run;
  const text = textPieces(bytes, ids).join("").replace(/\s+/g, " ").trim();
  const checked = rounds.reduce((sum, round) => sum + judgedOf(round), 0);
  const accepted = rounds.reduce((sum, round) => sum + round.accepted.length, 0);
  const { says, speedup } = closingWords(run);
  return [
    word("An animation of two recorded runs. The prompt is “{prompt}”, and both write “{text}”.", {
      prompt: run.prompt.replace(/\s+/g, " ").trim(),
      text,
    }),
    several(plain.rounds.length, "The large model alone needs {n} [pass|passes], one for every token."),
    several(
      rounds.length,
      "With a small draft ({helper}), which guesses the next tokens, it needs {n} [pass|passes]: each checks all guesses at once, and {accepted} of the {checked} checked guesses are accepted. A rejected guess is replaced by the large model's own token.",
      { helper: run.drafterText.introduction, accepted, checked },
    ),
    says,
    speedup && `${speedup.where}: ${speedup.value}. ${speedup.how}`,
  ]
    .filter(Boolean)
    .join(" ");
}
