// Why a token was accepted or rejected, from what was recorded: pure functions of (run, round, index), no DOM.

import { NOT_DRAFTING } from "../shared/drafter_text.ts";
import type { Drafted, Round } from "../shared/json_types.ts";
import { number, percent, tokenLabel } from "../shared/labels.ts";
import { endOfPath, isResting } from "../shared/round.ts";
import type { DrafterText, Label, Run } from "../shared/run_types.ts";
import { language, word } from "../shared/words.ts";

const CANDIDATES = 6;

/** An id that a draft cannot write has the lowest number of its format as its logit; half precision's is the highest of them. */
const LOWEST = -65500;

/** One token with what draft and target think of it; null where it was not recorded. */
export type Candidate = {
  token: number;
  label: Label;
  mine: boolean;
  p: number;
  pLogit: number;
  q: number | null;
  qLogit: number | null;
};

/**
 * p and q of the recorded tokens, most probable first, the drafted token always among them. At temperature 0 and with shared
 * noise the rule sees only zeros and ones: the probabilities at temperature 1 are shown instead, and the logits; the target's
 * order decides there. Before the target's pass (`swept`) p does not influence the order, which would give the verdict away. A drafter without probabilities is
 * sure of its token: q = 1, and 0 for any other.
 */
export function candidatesOf(run: Run, drafted: Drafted, swept: boolean): Candidate[] {
  const { target_top: top, draft_top: other } = drafted;
  if (!top?.tokens.length) return [];
  const column = run.drafterText.certain ? "probabilities" : "rule";
  const sure = !other?.tokens.length;
  const rows = top.tokens.map((token, i) => {
    const index = sure ? -1 : other.tokens.indexOf(token);
    const mine = token === drafted.token;
    return {
      token,
      label: tokenLabel(run.bytes, token),
      mine,
      p: top[column][i],
      pLogit: top.logits[i],
      q: sure ? Number(mine) : index < 0 ? null : other[column][index],
      qLogit: sure || index < 0 || other.logits[index] <= LOWEST ? null : other.logits[index],
    };
  });
  if (sure && !swept) return rows.filter((row) => row.mine);
  const { certain } = run.drafterText;
  const weight = ({ p, q }: Candidate): number => (swept && certain ? p : Math.max(swept ? p : 0, q ?? 0));
  const logit = (row: Candidate): number => (swept ? row.pLogit : (row.qLogit ?? -Infinity));
  rows.sort((a, b) => weight(b) - weight(a) || logit(b) - logit(a) || 0);
  const candidates = rows.slice(0, CANDIDATES);
  const mine = rows.find((row) => row.mine);
  if (mine && !candidates.includes(mine)) candidates[candidates.length - 1] = mine;
  return candidates;
}

/** What the closing token was drawn from: the residual after a rejection, p itself when every draft on the path was accepted. */
export function closingOf(run: Run, round: Round) {
  const { closing } = round;
  if (!closing) return null;
  const top = closing.residual_top;
  const rows = (top?.tokens ?? [])
    .map((token, i) => ({
      token,
      label: tokenLabel(run.bytes, token),
      share: top?.rule[i] ?? 0,
      mine: token === closing.token,
      atOne: top?.probabilities[i],
      logit: top?.logits[i],
    }))
    .filter((row) => row.share > 0 || row.mine)
    .sort((a, b) => b.share - a.share)
    .slice(0, CANDIDATES);
  return { how: closing.how, rows };
}

/**
 * The acceptance bound, min(1, p/q) by the exact rule and min(1, p/(l·q)) by the lenient one, and the draw u compared with it.
 */
export function ruleAt(run: Run, drafted: Drafted) {
  const { rule, certain, noise } = run.drafterText;
  const ratio = ratioOf(run.drafterText, drafted);
  const bound = rule === "block" && !certain ? (drafted.bound ?? null) : ratio === null ? null : Math.min(1, ratio);
  return { rule, ratio, bound, u: drafted.draw, greedy: certain, noise, verdict: drafted.verdict };
}

/** p/q, or p/(l·q) by the lenient rule; null where the rule does not use it or p and q are not known. */
function ratioOf({ rule, lenience }: DrafterText, { draft_prob: q, target_prob: p }: Drafted) {
  if (!q || p === null) return null;
  return p / (rule === "lenient" ? lenience * q : q);
}

/** The rule as a formula. */
export function formulaOf({ rule }: DrafterText) {
  if (rule === "lenient") return word("accept x when u < p(x) / (l·q(x)), u uniform in [0, 1), lenience l");
  if (rule === "block")
    return word(
      "keep the longest prefix with u < h; h = r / (r + 1 − w), w = min(1, w·p/q) from token to token, r = Σ max(0, w·p − q)",
    );
  return word("accept x when u < p(x) / q(x), u uniform in [0, 1)");
}

/**
 * The token that the target itself wants after `parent`: the child that was accepted, or the round's closing token at the end of
 * the accepted path; null where the round did not come to that. True where every distribution is one-hot.
 */
export function choiceAfter(round: Round, parent: number) {
  const accepted = round.drafted.find((d) => d.parent === parent && d.verdict === "accepted");
  if (accepted) return accepted.token;
  return parent === endOfPath(round) && round.closing ? round.closing.token : null;
}

/** A token in a sentence; one longer than a line, which no tokenizer has, is cut. */
export function quoted(run: Run, id: number | null) {
  const { text } = tokenLabel(run.bytes, id);
  return word("“{text}”", { text: text.length > 60 ? `${[...text].slice(0, 40).join("")}…` : text });
}

/** The reason for the verdict on one drafted token. */
export function reasonOf(run: Run, round: Round, index: number) {
  const drafted = round.drafted[index];
  const accepted = drafted.verdict === "accepted";
  if (run.drafterText.rule === "block" && !run.drafterText.certain && drafted.bound != null)
    return reasonOfBlock(drafted);
  if (drafted.verdict === "discarded")
    return word("Never checked: a guess before it was rejected, or the text had ended.");
  if (run.drafterText.certain) return certainReason(run, accepted, choiceAfter(round, drafted.parent));
  return drawnReason(run, round, index);
}

function certainReason(run: Run, accepted: boolean, choice: number | null) {
  if (run.drafterText.noise) {
    const without = word("The probabilities shown are without the noise.");
    if (accepted) return `${word("The noise decided: with it this is the target's choice too. Accepted.")} ${without}`;
    const other = choice === null ? word("another token") : quoted(run, choice);
    return `${word("The noise decided: with it the target's choice is {other}. Rejected.", { other })} ${without}`;
  }
  const sure = word("At temperature 0 no random number is needed.");
  if (accepted) return `${word("It is the target's own most likely token: accepted.")} ${sure}`;
  if (choice === null) return `${word("It is not the target's most likely token: rejected.")} ${sure}`;
  return `${word("The target's most likely token is {choice}: rejected.", { choice: quoted(run, choice) })} ${sure}`;
}

/** Whether the prefix of a block that ends with this token passes by itself. */
export function passesAlone({ bound, draw }: Drafted) {
  return draw === null || draw < Number(bound);
}

/** The two numbers that decide on that prefix. */
export function comparedOf({ bound, draw }: Drafted) {
  const values = { u: number(draw ?? 0, 3), h: number(Number(bound), 3) };
  return word("random number {u} against h = {h}", values);
}

/** The block is judged from its end: the longest prefix that passes is kept. */
function reasonOfBlock(drafted: Drafted) {
  const compared = comparedOf(drafted);
  if (drafted.verdict !== "accepted")
    return word("The prefix that ends here does not pass: {compared}. No longer one does. Rejected with the block.", {
      compared,
    });
  if (passesAlone(drafted)) return word("The prefix that ends here passes: {compared}. Accepted.", { compared });
  return word("The prefix that ends here does not pass alone ({compared}), but a longer one does: kept with it.", {
    compared,
  });
}

function drawnReason(run: Run, round: Round, index: number) {
  const drafted = round.drafted[index];
  const { rule, bound, u } = ruleAt(run, drafted);
  if (bound === null || u === null) return drafted.verdict === "accepted" ? word("Accepted.") : word("Rejected.");
  const earlier = round.drafted.some((d, i) => i < index && d.parent === drafted.parent && d.verdict === "rejected");
  const sentences = [
    rule === "lenient"
      ? word("LOSSY, the lenient rule requires only {lenience} of q.", {
          lenience: run.drafterText.lenience.toLocaleString(language()),
        })
      : "",
    earlier ? word("p is what is left after the earlier guesses for this position were rejected.") : "",
  ];
  if (bound < 1) {
    const drawn = drawWords(drafted.verdict === "accepted", u);
    sentences.push(word("Probability of acceptance {share}. {drawn}.", { share: percent(bound), drawn }));
  } else if (rule === "lenient") sentences.push(word("p is at least that: always accepted."));
  else sentences.push(word("The target rates it at least as high as the draft does: always accepted."));
  return sentences.filter(Boolean).join(" ");
}

/** The random number against the probability of acceptance, and the verdict. */
export function drawWords(accepted: boolean, u: number) {
  const values = { u: number(u, 3) };
  return accepted
    ? word("Random number {u} is smaller: accepted", values)
    : word("Random number {u} is larger: rejected", values);
}

/** The reason for the closing token. */
export function closingReason(run: Run, round: Round) {
  const { closing } = round;
  const { certain, noise, rule } = run.drafterText;
  if (!closing) return word("The text ended with an accepted token: the target added none.");
  if (round.drafted[0]?.target_prob === null) return word("The server's own token; its log has no probabilities.");
  const drawn = closing.draw === null ? "" : word(", with random number {u}", { u: number(closing.draw, 3) });
  if (closing.how !== "corrected") {
    const from = noise
      ? word("It is the target's choice with the noise of that position.")
      : certain
        ? word("It is the target's most likely token there.")
        : word("It was drawn from p{drawn}.", { drawn });
    return `${withoutRejection(round)} ${from}`;
  }
  if (noise) return word("The target's own choice with the noise of this position replaces the rejected token.");
  if (certain) return word("The target's own most likely token replaces the rejected token.");
  if (rule === "block") return word("Drawn from what the kept prefix leaves: max(0, w·p − q){drawn}.", { drawn });
  return word("Drawn from the tokens that the target rates higher than the draft does{drawn}.", { drawn });
}

/** @param round one whose accepted path ended without a rejection. */
function withoutRejection(round: Round) {
  const { accepted, drafted } = round;
  if (isResting(round)) return `${word(NOT_DRAFTING)} ${word("One pass, one token, the target's own.")}`;
  if (!drafted.length) return word("Nothing was drafted: one pass, one token, the target's own.");
  return accepted.length === drafted.length
    ? word("All guesses were accepted, and the same pass already scores the next position.")
    : word("The accepted path ends here, and the same pass already scores the next position.");
}
