// The acceptance rule, three wrong ones, and what comes out of each, computed exactly. Pure, no DOM.

import type { Procedure, RuleName } from "../lesson_types.ts";
import { atTemperature, entropyOf, normalised, totalOf } from "./distributions.ts";

/** Of typical acceptance, p > min(ε, δ·exp(-H)), as in Medusa's released code (Cai et al., arXiv 2401.10774). */
const TYPICAL_BAR = { epsilon: 0.09, delta: 0.3 };

export const RULE_NAMES: RuleName[] = ["exact", "likely", "no-residual", "other-q"];

/** Two distributions nearer than this are one: what is left is rounding. */
export const ROUNDING = 1e-9;

/** min(1, p/q) of each token. One that the draft never writes counts as accepted where the target may write it. */
export function acceptanceOf(p: number[], q: number[]) {
  return p.map((wanted, i) => (q[i] > 0 ? Math.min(1, wanted / q[i]) : Number(wanted > 0)));
}

/** norm(max(0, p - q)): what is drawn from after a rejection; p itself where that is zero everywhere. */
export function residualOf(p: number[], q: number[]) {
  const rest = p.map((wanted, i) => Math.max(0, wanted - q[i]));
  return totalOf(rest) > 0 ? normalised(rest) : p;
}

/** The bar of the typical rule: a token is accepted when p lies above it. */
export function likelyBar(p: number[]) {
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
