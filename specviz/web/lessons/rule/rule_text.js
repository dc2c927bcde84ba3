// The words of the rules. Pure, no DOM.

/** @import { Pairing, Procedure, RuleName } from "../types" */

import { likelyBar, ROUNDING } from "./acceptance.js";
import { totalOf } from "./distributions.js";

/** @type {Record<RuleName, { name: string, does: string, misses: string }>} */
export const RULE_WORDS = {
  exact: {
    name: "The rule",
    does: "Accept when u < p/q. After a rejection draw from the residual.",
    misses: "",
  },
  likely: {
    name: "Accept what is likely",
    does: "Accept whatever the target finds likely enough. u and q do not count.",
    misses: "Every token above the bar comes as often as the draft likes it, not the target.",
  },
  "no-residual": {
    name: "No residual",
    does: "Accept when u < p/q, but after a rejection draw from p itself.",
    misses: "What the draft already offers often enough is drawn a second time.",
  },
  "other-q": {
    name: "q from another temperature",
    does: "The draft draws at one temperature (what fills the frames of q); the rule divides by q at another (the frames).",
    misses: "The rule corrects for a q that the tokens were not drawn from.",
  },
};

/**
 * How many drafts the rule accepts in the long run, beside sample and match, which is exact too: there the target draws a token of its own,
 * and the drafted one is accepted if it is the same.
 * @param {Pairing} pairing
 */
export function acceptsWords({ p, q }) {
  const [kept, same] = [
    totalOf(p.map((wanted, i) => Math.min(wanted, q[i]))),
    totalOf(p.map((wanted, i) => wanted * q[i])),
  ];
  return `Accepted: Σ min(p, q) = ${kept.toFixed(2)}; only if the target draws the same: Σ p·q = ${same.toFixed(2)}.`;
}

/**
 * Whether a rule gives p, with a mark: an exact figure, so a wrong rule that does no harm here is not accused.
 * @param {number} distance in the long run.
 */
export function faithful(distance) {
  return distance < ROUNDING ? { mark: "✓ gives p", state: "accepted" } : { mark: "✕ misses p", state: "rejected" };
}

/**
 * The acceptance probability of the token that is judged, as a formula with its numbers.
 * @param {RuleName} rule
 * @param {Pairing} pairing
 * @param {Procedure} procedure
 * @param {number} index
 */
export function boundOf(rule, { tokens, p, q }, procedure, index) {
  const token = `“${tokens[index]}”`;
  if (rule === "likely") {
    const side = procedure.accept[index] ? ">" : "≤";
    return `${token}: p = ${p[index].toFixed(2)} ${side} ${likelyBar(p).toFixed(2)}, the bar`;
  }
  if (q[index] === 0) return `${token}: q = 0, so the draft never writes it`;
  const accept = procedure.accept[index].toFixed(2);
  return `${token}: min(1, p/q) = min(1, ${p[index].toFixed(2)} / ${q[index].toFixed(2)}) = ${accept}`;
}

/**
 * The verdict on one drafted token as a sentence.
 * @param {RuleName} rule
 * @param {Pairing} pairing
 * @param {Procedure} procedure
 * @param {{ lit: number, u: number, came: number | null }} judged `came` is the token that was drawn after a rejection.
 */
export function verdictOf(rule, { tokens }, { accept }, { lit, u, came }) {
  const token = `“${tokens[lit]}”`;
  const accepted = u < accept[lit];
  const compared = `u = ${u.toFixed(3)} is ${accepted ? "" : "not "}below ${accept[lit].toFixed(3)}`;
  const why = rule === "likely" ? `p is ${accepted ? "" : "not "}above the bar, and u does not count` : compared;
  const next = accepted || came === null ? "" : ` Drawn instead: “${tokens[came]}”.`;
  return `${accepted ? "✓ accepted" : "✕ rejected"}: ${token} was drafted, and ${why}.${next}`;
}

/**
 * How far the drawn tokens are from p, beside the distance that sampling alone leaves.
 * @param {number} total
 * @param {number} distance
 * @param {number} noise
 */
export function distanceWords(total, distance, noise) {
  if (!total) return { figure: "–", beside: "nothing drawn yet" };
  const [found, expected] = [distance, noise].map((value) => value.toFixed(total < 1000 ? 2 : 3));
  return { figure: found, beside: `total variation distance to p (▢). Plain sampling alone: about ${expected}` };
}

/**
 * Where a rule leads, however many tokens are drawn.
 * @param {RuleName} rule
 * @param {number} distance
 */
export function leadsTo(rule, distance) {
  if (distance < ROUNDING) {
    return rule === "exact"
      ? "In the long run: exactly p, whatever q is. More tokens bring the bars nearer to p."
      : "For these p and q this rule gives p too. Drag a bar.";
  }
  return `In the long run it misses p by ${distance.toFixed(3)} (◇), however many tokens are drawn. ${RULE_WORDS[rule].misses}`;
}
