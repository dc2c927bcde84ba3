// An audit: the same number of tokens from plain sampling and from each rule, compared as their number grows. Pure, no DOM.

import { percent } from "../../shared/labels.ts";
import { fixed, language, word } from "../../shared/words.ts";
import type { Pairing, Procedure, RuleName } from "../lesson_types.ts";
import { longRunOf, plainSampling, procedureOf, ROUNDING, RULE_NAMES } from "../rule/acceptance.ts";
import { noiseFactor, seeded, Tally, totalVariation } from "../rule/sampling.ts";

/** The sample sizes at which the distance is recorded. */
export const SIZES = [30, 60, 100, 200, 300, 600, 1000, 2000, 3000, 6000, 10_000, 20_000, 30_000, 60_000, 100_000];

/**
 * What an audit finds with so many tokens: how far the rule's lie from the plain ones, and the limit that 99 of 100 pairs of honest
 * samples stay below. `noticed` is that the distance lies above it.
 */
type Finding = { size: number; distance: number; limit: number; noticed: boolean; shares: number[]; plain: number[] };

/** Tokens drawn by one procedure. */
type Sample = { procedure: Procedure; tally: Tally; random: () => number };

export class AuditRun {
  p: number[];
  /** Below this over √n lie 99 of 100 pairs of honest samples. */
  factor: number;
  plain: Sample;
  rules: (Sample & { name: RuleName; findings: Finding[] })[];
  done = 0;

  /** @param temperature of the draft of "other-q". */
  constructor({ tokens, p, q }: Pairing, temperature: number, seed: number) {
    this.p = p;
    this.factor = noiseFactor(p);
    this.plain = { procedure: plainSampling(p), tally: new Tally(tokens.length), random: seeded(seed) };
    this.rules = RULE_NAMES.map((name, i) => ({
      name,
      procedure: procedureOf(name, p, q, temperature),
      tally: new Tally(tokens.length),
      random: seeded(seed + 1 + i),
      findings: [],
    }));
  }

  /** Draw on, up to so many tokens in all, and record every size on the way. The result does not depend on how often this is called. */
  advance(size: number) {
    while (this.done < size) {
      const stop = SIZES.find((known) => known > this.done) ?? size;
      const count = Math.min(size, stop) - this.done;
      this.plain.tally.draw(this.plain.procedure, count, this.plain.random);
      for (const rule of this.rules) rule.tally.draw(rule.procedure, count, rule.random);
      this.done += count;
      if (this.done === stop) this.record();
    }
  }

  record() {
    const [plain, limit] = [this.plain.tally.shares, this.limitAt(this.done)];
    for (const { tally, findings } of this.rules) {
      const { shares } = tally;
      const distance = totalVariation(shares, plain);
      findings.push({ size: this.done, distance, limit, noticed: distance > limit, shares, plain });
    }
  }

  /** The distance that 99 of 100 pairs of honest samples of this size stay below. */
  limitAt(size: number) {
    return this.factor / Math.sqrt(size);
  }

  ruleOf(name: RuleName) {
    return this.rules[RULE_NAMES.indexOf(name)];
  }

  /** What was found with so many tokens; null before they are drawn. */
  findingOf(name: RuleName, size: number) {
    return this.ruleOf(name).findings.find((finding) => finding.size === size) ?? null;
  }

  /** How far a rule misses p in the long run, and about how many tokens an audit needs to see that; null where it gives p. */
  biasOf(name: RuleName) {
    const bias = totalVariation(longRunOf(this.ruleOf(name).procedure), this.p);
    return { bias, needs: bias < ROUNDING ? null : (this.factor / bias) ** 2 };
  }
}

/** What an audit says. */
export function accusationOf(finding: Finding | null) {
  if (!finding) return { mark: "…", state: "" };
  return finding.noticed
    ? { mark: word("✕ noticed"), state: "rejected" }
    : { mark: word("✓ nothing noticed"), state: "accepted" };
}

export function findingWords(finding: Finding | null) {
  if (!finding) return word("Drawing …");
  const { size, distance, limit, noticed } = finding;
  const [found, honest] = [distance, limit].map((value) => fixed(value, size < 1000 ? 2 : 3));
  const given = { size: size.toLocaleString(language()), found, honest };
  return noticed
    ? word(
        "✕ Noticed: with {size} tokens from each, the rule is {found} away from plain sampling (total variation distance). Of 100 correct samples, 99 stay below {honest}.",
        given,
      )
    : word(
        "✓ Nothing noticed: with {size} tokens from each, the rule is {found} away from plain sampling (total variation distance). Of 100 correct samples, 99 stay below {honest}.",
        given,
      );
}

export function biasWords({ bias, needs }: { bias: number; needs: number | null }) {
  if (needs === null) return word("This rule gives exactly p: an audit of any size finds only random differences.");
  return word("In the long run {share} of its tokens are wrong. An audit notices it from about {tokens} tokens on.", {
    share: percent(bias),
    tokens: rounded(needs).toLocaleString(language()),
  });
}

/** To one digit: more would promise too much. */
function rounded(count: number) {
  const scale = 10 ** Math.floor(Math.log10(Math.max(10, count)));
  return Math.ceil(count / scale) * scale;
}
