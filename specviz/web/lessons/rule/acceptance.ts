// The acceptance rule, three wrong ones, and what comes out of each, computed exactly. Pure, no DOM.

import { english, fixed, word } from "../../shared/words.ts";
import type { Pairing, Procedure, RuleName } from "../lesson_types.ts";
import { atTemperature, entropyOf, normalised, totalOf } from "./sampling.ts";

/** Of typical acceptance, p > min(ε, δ·exp(-H)), as in Medusa's released code (Cai et al., arXiv 2401.10774). */
const TYPICAL_BAR = { epsilon: 0.09, delta: 0.3 };

export const RULE_NAMES: RuleName[] = ["exact", "likely", "no-residual", "other-q"];

/** Two distributions nearer than this are one: what is left is rounding. */
export const ROUNDING = 1e-9;

/** min(1, p/q) of each token. One that the draft never writes counts as accepted where the target may write it. */
function acceptanceOf(p: number[], q: number[]) {
  return p.map((wanted, i) => (q[i] > 0 ? Math.min(1, wanted / q[i]) : Number(wanted > 0)));
}

/** norm(max(0, p - q)): what is drawn from after a rejection; p itself where that is zero everywhere. */
function residualOf(p: number[], q: number[]) {
  const rest = p.map((wanted, i) => Math.max(0, wanted - q[i]));
  return totalOf(rest) > 0 ? normalised(rest) : p;
}

/** The bar of the typical rule: a token is accepted when p lies above it. */
function likelyBar(p: number[]) {
  return Math.min(TYPICAL_BAR.epsilon, TYPICAL_BAR.delta * Math.exp(-entropyOf(p)));
}

/** A rule for these p and q. `temperature`: that the draft of "other-q" draws at, while the rule computes with q. */
export function procedureOf(name: RuleName, p: number[], q: number[], temperature = 1): Procedure {
  if (name === "likely") return { drawn: q, accept: p.map((wanted) => Number(wanted > likelyBar(p))), after: p };
  if (name === "no-residual") return { drawn: q, accept: acceptanceOf(p, q), after: p };
  const drawn = name === "other-q" && temperature !== 1 ? atTemperature(q, temperature) : q;
  return { drawn, accept: acceptanceOf(p, q), after: residualOf(p, q) };
}

/** Plain sampling in the same form: p itself is drawn from, and every token is accepted. */
export function plainSampling(p: number[]): Procedure {
  return { drawn: p, accept: p.map(() => 1), after: p };
}

/**
 * How often each token comes out by an accepted draft, and how often by the draw after a rejection. Together they are all that
 * comes out.
 */
export function partsOf({ drawn, accept, after }: Procedure) {
  const accepted = drawn.map((share, i) => share * accept[i]);
  const rejected = totalOf(drawn.map((share, i) => share * (1 - accept[i])));
  return { accepted, redrawn: after.map((share) => share * rejected) };
}

/** The distribution that a rule gives in the long run; p by the exact rule. */
export function longRunOf(procedure: Procedure) {
  const { accepted, redrawn } = partsOf(procedure);
  return accepted.map((share, i) => share + redrawn[i]);
}

/** After "The capital of France is". The numbers are made up. */
export const EXAMPLE: Pairing = {
  tokens: ["Paris", "Lyon", "a", "the", "Rome", "in"],
  p: [0.42, 0.08, 0.16, 0.2, 0.04, 0.1],
  q: [0.2, 0.3, 0.18, 0.12, 0.15, 0.05],
};
export const EXAMPLE_NOTE = english("An example with made-up numbers: drag any bar; all bars of one colour sum to 1.");

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
  const kept = fixed(totalOf(p.map((wanted, i) => Math.min(wanted, q[i]))), 2);
  const same = fixed(totalOf(p.map((wanted, i) => wanted * q[i])), 2);
  return word("Accepted: Σ min(p, q) = {kept}; only if the target draws the same: Σ p·q = {same}.", { kept, same });
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
    const given = {
      token,
      side: procedure.accept[index] ? ">" : "≤",
      p: fixed(p[index], 2),
      bar: fixed(likelyBar(p), 2),
    };
    return word("{token}: p = {p} {side} {bar}, the bar", given);
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

/** Where a rule leads, however many tokens are drawn. */
export function leadsTo(rule: RuleName, distance: number) {
  if (distance < ROUNDING) {
    return rule === "exact"
      ? word("In the long run: exactly p, whatever q is. More tokens bring the bars nearer to p.")
      : word("For these p and q this rule gives p too. Drag a bar.");
  }
  const given = { distance: fixed(distance, 3), misses: word(RULE_WORDS[rule].misses) };
  return word("In the long run it misses p by {distance} (◇), however many tokens are drawn. {misses}", given);
}
