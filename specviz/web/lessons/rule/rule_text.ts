// The words of the rules. Pure, no DOM.

import { english, fixed, word } from "../../shared/words.ts";
import type { Pairing, Procedure, RuleName } from "../lesson_types.ts";
import { likelyBar, ROUNDING } from "./acceptance.ts";
import { totalOf } from "./distributions.ts";

export const RULE_WORDS: Record<RuleName, { name: string; does: string; misses: string }> = {
  exact: {
    name: english("The rule"),
    does: english("Accept when u < p/q. After a rejection draw from the residual."),
    misses: "",
  },
  likely: {
    name: english("Accept what is likely"),
    does: english("Accept whatever the target finds likely enough. u and q do not count."),
    misses: english("A token above the bar comes as often as the draft draws it, not as often as the target would."),
  },
  "no-residual": {
    name: english("No residual"),
    does: english("Accept when u < p/q, but after a rejection draw from p itself."),
    misses: english("A token that the draft offers often enough is drawn from p once more, so it comes too often."),
  },
  "other-q": {
    name: english("q from another temperature"),
    does: english(
      "The draft draws at one temperature (what fills the frames of q); the rule divides by q at another (the frames).",
    ),
    misses: english("The tokens were drawn from another q than the one in the rule."),
  },
};

/**
 * How many drafts the rule accepts in the long run, beside sample and match, which is exact too: there the target draws a token of its own,
 * and the drafted one is accepted if it is the same.
 */
export function acceptsWords({ p, q }: Pairing) {
  const [kept, same] = [
    totalOf(p.map((wanted, i) => Math.min(wanted, q[i]))),
    totalOf(p.map((wanted, i) => wanted * q[i])),
  ];
  return word("Accepted: Σ min(p, q) = {kept}; only if the target draws the same: Σ p·q = {same}.", {
    kept: fixed(kept, 2),
    same: fixed(same, 2),
  });
}

/**
 * Whether a rule gives p, with a mark: an exact figure, so a wrong rule that does no harm here is not accused.
 * @param distance in the long run.
 */
export function faithful(distance: number) {
  return distance < ROUNDING
    ? { mark: word("✓ gives p"), state: "accepted" }
    : { mark: word("✕ misses p"), state: "rejected" };
}

/** The acceptance probability of the token that is judged, as a formula with its numbers. */
export function boundOf(rule: RuleName, { tokens, p, q }: Pairing, procedure: Procedure, index: number) {
  const token = word("“{text}”", { text: tokens[index] });
  if (rule === "likely") {
    const side = procedure.accept[index] ? ">" : "≤";
    return word("{token}: p = {p} {side} {bar}, the bar", {
      token,
      p: fixed(p[index], 2),
      side,
      bar: fixed(likelyBar(p), 2),
    });
  }
  if (q[index] === 0) return word("{token}: q = 0, so the draft never writes it", { token });
  const accept = fixed(procedure.accept[index], 2);
  return `${token}: min(1, p/q) = min(1, ${fixed(p[index], 2)} / ${fixed(q[index], 2)}) = ${accept}`;
}

/** The verdict on one drafted token as a sentence. `judged`: `came` is the token that was drawn after a rejection. */
export function verdictOf(
  rule: RuleName,
  { tokens }: Pairing,
  { accept }: Procedure,
  { lit, u, came }: { lit: number; u: number; came: number | null },
) {
  const token = word("“{text}”", { text: tokens[lit] });
  const accepted = u < accept[lit];
  const given = { token, u: fixed(u, 3), bound: fixed(accept[lit], 3) };
  if (rule === "likely" && accepted) {
    return word("✓ accepted: {token} was drafted, and p is above the bar, and u does not count.", given);
  }
  if (accepted) return word("✓ accepted: {token} was drafted, and u = {u} is below {bound}.", given);
  const rejected =
    rule === "likely"
      ? word("✕ rejected: {token} was drafted, and p is not above the bar, and u does not count.", given)
      : word("✕ rejected: {token} was drafted, and u = {u} is not below {bound}.", given);
  return came === null ? rejected : `${rejected} ${word("Drawn instead: “{token}”.", { token: tokens[came] })}`;
}

/** How far the drawn tokens are from p, beside the distance that sampling alone leaves. */
export function distanceWords(total: number, distance: number, noise: number) {
  if (!total) return { figure: "–", beside: word("nothing drawn yet") };
  const [found, expected] = [distance, noise].map((value) => fixed(value, total < 1000 ? 2 : 3));
  return {
    figure: found,
    beside: word("total variation distance to p (▢). Plain sampling alone: about {expected}", { expected }),
  };
}

/** Where a rule leads, however many tokens are drawn. */
export function leadsTo(rule: RuleName, distance: number) {
  if (distance < ROUNDING) {
    return rule === "exact"
      ? word("In the long run: exactly p, whatever q is. More tokens bring the bars nearer to p.")
      : word("For these p and q this rule gives p too. Drag a bar.");
  }
  const misses = word(RULE_WORDS[rule].misses);
  return word("In the long run it misses p by {distance} (◇), however many tokens are drawn. {misses}", {
    distance: fixed(distance, 3),
    misses,
  });
}
