// Why a run was faster or slower than plain decoding, in one sentence with its numbers. Pure, no DOM.

import { capitalised, NOBODY } from "../shared/drafter_text.ts";
import { isTrusted } from "../shared/figures.ts";
import { duration, number, passCount, tokenCount } from "../shared/labels.ts";
import { type Ledger, ledgerOf } from "../shared/ledger.ts";
import { isResting } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { several, textOnPage, word } from "../shared/words.ts";

/**
 * What decided: the times are not trusted ("busy"), nothing to compare with ("unknown"), nothing was drafted at all ("plain"), a short text,
 * most passes had nothing to check ("idle"), wrong guesses, dear passes, dear drafts, the work around them ("rest"), or it paid.
 */
export type Reason =
  | "busy"
  | "unknown"
  | "plain"
  | "short"
  | "idle"
  | "guesses"
  | "passes"
  | "drafts"
  | "rest"
  | "paid";

/** A run of fewer passes says little: one of them decides. */
const FEW_PASSES = 6;

/** A speedup nearer to 1 than this is none: it is shown as 1.00. */
const EVEN = 0.005;

/**
 * What decided how fast a run was, and how that is known.
 * @param run one that is over.
 */
export function causeOf(run: Run): { reason: Reason; words: string; how: string } {
  if (!isTrusted(run)) return { reason: "busy", words: busyWords(run), how: textOnPage(run.timing?.grounds ?? "") };
  const ledger = ledgerOf(run);
  const how = ledger ? accountOf(ledger) : "";
  const reason = ledger ? reasonOf(run, ledger) : "unknown";
  if (!ledger || reason === "unknown") return { reason, words: unknownWords(run), how };
  return { reason, words: wordsOf(run, ledger, reason), how };
}

function reasonOf(run: Run, ledger: Ledger): Reason {
  if (run.drafterText.name === NOBODY) return "plain";
  const { tokens, cost, rounds, idle, drafted } = ledger;
  if (tokens / cost > 1 + EVEN) return "paid";
  if (rounds < FEW_PASSES) return "short";
  if (2 * idle >= rounds) return "idle";
  const { wrong, judged } = guessesOf(run);
  const hopeless = drafted + 1 < cost; // it would have lost with every guess right
  if (2 * wrong > judged && !hopeless) return "guesses";
  return dearest(ledger);
}

/** What takes the most time beyond a plain token. */
function dearest({ drafting, verifying, rest }: Ledger): Reason {
  if (verifying >= drafting && verifying >= rest) return "passes";
  return drafting >= rest ? "drafts" : "rest";
}

function guessesOf({ totals }: Run) {
  const { judged, accepted } = totals[totals.length - 1];
  return { judged, accepted, wrong: judged - accepted };
}

function wordsOf(run: Run, ledger: Ledger, reason: Reason) {
  const { accepted, judged, wrong } = guessesOf(run);
  const [checked, drafted] = [Math.round(ledger.checked), Math.round(ledger.drafted)];
  const pass = several(checked, "a pass over {n} [token|tokens] costs {cost} of one here", {
    cost: number(ledger.pass),
  });
  const drafting = several(drafted, "drafting {n} [token|tokens] takes as long as {cost} plain passes", {
    cost: number(ledger.drafting),
  });
  const rounds = ledger.rounds;
  const causes: Partial<Record<Reason, () => string>> = {
    plain: () => word("Nothing was drafted: this is plain decoding."),
    paid: () => rightWords(accepted, judged),
    short: () =>
      word("The text is short, and with {tokens} in {passes} one wrong guess decides", {
        tokens: tokenCount(run.ids.length),
        passes: passCount(rounds),
      }),
    idle: () =>
      run.rounds.some(isResting)
        ? several(rounds, "{idle} of {n} [pass|passes] had no guess to check, because drafting did not pay", {
            idle: ledger.idle,
          })
        : several(rounds, "{idle} of {n} [pass|passes] had no guess to check", {
            idle: ledger.idle,
          }),
    guesses: () =>
      several(judged, "{wrong} of {n} [guess was|guesses were] wrong, and {reason}", {
        wrong,
        reason: dearest(ledger) === "drafts" ? drafting : pass,
      }),
    passes: () => capitalised(pass),
    drafts: () => capitalised(drafting),
    rest: () =>
      word("What a round does beside its passes takes as long as {cost} plain tokens", { cost: number(ledger.rest) }),
  };
  const cause = causes[reason]?.() ?? "";
  return reason === "plain" ? cause : word("{cause}: {balance}.", { cause, balance: balanceOf(ledger) });
}

function rightWords(accepted: number, judged: number) {
  return several(judged, "{accepted} of {n} [guess was|guesses were] right", { accepted });
}

/** What a round brought for its time; with a second digit where the first would show two that differ as equal. */
function balanceOf({ tokens, cost }: Ledger) {
  const digits = number(tokens) === number(cost) ? 2 : 1;
  const given = { tokens: number(tokens, digits), cost: number(cost, digits) };
  return word("a round writes {tokens} tokens and takes as long as {cost} plain passes", given);
}

function busyWords(run: Run) {
  const { timing } = run;
  const why = timing && !timing.trusted ? textOnPage(timing.why) : word("they show more than is possible");
  return word("The times are not trusted ({why}), so that no speed is given. What was drafted and accepted is exact.", {
    why,
  });
}

function unknownWords(run: Run) {
  const { accepted, judged } = guessesOf(run);
  const guesses = judged ? `${rightWords(accepted, judged)}. ` : "";
  return `${guesses}${word("Plain decoding was not measured on this prompt, so that no speed is given.")}`;
}

/** How the time of a round adds up. */
function accountOf({ rounds, drafting, verifying, rest, cost, plain_s: plain }: Ledger) {
  const given = {
    cost: number(cost, 2),
    plain: duration(plain),
    drafting: number(drafting, 2),
    verifying: number(verifying, 2),
    rest: number(rest, 2),
  };
  return several(
    rounds,
    "The mean of {n} [round|rounds] took as long as {cost} plain tokens of {plain}: 1 for the token itself, {drafting} for drafting, {verifying} for checking more than one token, {rest} for the rest. Measured on this prompt.",
    given,
  );
}
