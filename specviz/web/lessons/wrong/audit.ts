// A planted bug: the wrong rules as an audit sees them, which has only samples, and the noise of samples.

import { scaleLog } from "d3-scale";
import { el, setText } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, fixed, language, word } from "../../shared/words.ts";
import { areaBetween, lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import { Choices, legendOf } from "../common/widgets.ts";
import type { RuleName } from "../lesson_types.ts";
import { EXAMPLE, longRunOf, RULE_NAMES, RULE_WORDS } from "../rule/acceptance.ts";
import { Outcome } from "../rule/outcome.ts";
import { AuditRun, accusationOf, biasWords, findingWords, SIZES } from "./audit_run.ts";

/** How many tokens a reader can ask for, and the marks of the chart. */
const ASKED_SIZES = [100, 1000, 10_000, 100_000];
/** With so many a step about the size of a sample begins. */
const LARGE_SAMPLE = 10_000;
const DISTANCE_TICKS = [0.01, 0.1, 1];
const [NEAREST, FARTHEST] = [0.002, 1];
const TOKENS_A_FRAME = 2000;
/** What the draft of the rule "other-q" draws at. */
const TEMPERATURE = 0.5;

type AuditView = { run: AuditRun; rule: RuleName; size: number };

/**
 * Distance from plain sampling against the number of tokens, both on logarithmic scales. Honest samples lie in the grey band, which falls as 1/√n; a
 * wrong rule leaves it and goes on level.
 */
class AuditChart extends Picture<AuditView> {
  show(shown: AuditView) {
    const { findings } = shown.run.ruleOf(shown.rule);
    const rows = findings.map((at) =>
      word("{size} tokens: {distance}, correct below {limit}", {
        size: at.size,
        distance: fixed(at.distance, 3),
        limit: fixed(at.limit, 3),
      }),
    );
    this.present(shown, word("Distance from plain sampling by tokens drawn. {rows}", { rows: rows.join("; ") }));
  }

  draw({ run, rule, size }: AuditView, { em }: PictureSize) {
    const edges = this.edges(3, 0.8, 0.6, 2.6);
    const { left, right, upper, lower, height } = edges;
    const drawn = [SIZES[0], SIZES[SIZES.length - 1]];
    const x = scaleLog(drawn, [left, right]);
    const y = scaleLog([NEAREST, FARTHEST], [lower, upper]).clamp(true);
    const limits = drawn.map((count): [number, number] => [x(count), y(run.limitAt(count))]);
    const { bias, needs } = run.biasOf(rule);
    const { findings } = run.ruleOf(rule);
    return [
      mark.path("noise-band", areaBetween(limits, [lower, lower])),
      ...DISTANCE_TICKS.map((distance) => mark.line("ruler", left, y(distance), right, y(distance))),
      mark.line("audit-here", x(size), upper, x(size), lower),
      needs !== null && mark.line("audit-level", left, y(bias), right, y(bias)),
      ...run.rules.map(({ name, findings }) => {
        const kind = `${name === "exact" ? "honest" : "wrong"}${name === rule ? " lit" : ""}`;
        return mark.path(`audit-line ${kind}`, lineThrough(findings.map((at) => [x(at.size), y(at.distance)])));
      }),
      mark.text("noise-words", word("how much two correct samples differ"), left + 0.7 * em, lower - 0.6 * em),
      mark.text("noise-words", word("total variation distance from plain sampling"), left + 0.7 * em, upper + 1.2 * em),
      ...SIZES.map((_, i) => {
        if (i >= findings.length) return false;
        const { noticed, distance, size: drawn } = findings[i];
        const kind = `${noticed ? "noticed" : "quiet"}${drawn === size ? " chosen" : ""}`;
        const down = (noticed ? 0.36 : 0.5) * em;
        return mark.text(`audit-point ${kind}`, noticed ? "✕" : "•", x(drawn), y(distance) + down);
      }),
      ...mark.ticksAcross(
        ASKED_SIZES,
        (count) => Math.min(x(count), right - 2 * em),
        edges,
        (count) => count.toLocaleString(language()),
      ),
      ...mark.ticksUpright(DISTANCE_TICKS, (distance) => Math.max(0.65 * em, y(distance)), edges),
      mark.text("tick", word("tokens drawn"), (left + right) / 2, height - 0.3 * em),
    ];
  }
}

export const mountAudit = mountOf(english("A planted bug, as an audit sees it"), (body) => {
  const run = new AuditRun(EXAMPLE, TEMPERATURE, 0);
  let rule: RuleName = "no-residual";
  let size = ASKED_SIZES[0];
  const rules = new Choices("rule-list", word("Which rule is audited"), (name: RuleName) => {
    rule = name;
    render();
  });
  const sizes = new Choices("size-row", word("How many tokens are drawn"), (name) => ask(Number(name)));
  const does = el("p", "rule-does");
  const found = el("p", { class: "audit-found", "aria-live": "polite" });
  const bias = el("p", "audit-bias");
  const [chart, outcome] = [new AuditChart("audit-chart"), new Outcome("outcome-picture")];
  const frames = new Frames(body, () => {
    if (run.done >= size) return false;
    run.advance(Math.min(size, run.done + TOKENS_A_FRAME));
    render();
    return run.done < size;
  });

  const ask = (count: number) => {
    size = count;
    if (wantsStillness() || size <= TOKENS_A_FRAME) run.advance(size);
    render();
    frames.ask();
  };

  const render = () => {
    for (const name of RULE_NAMES) {
      const { mark, state } = accusationOf(run.findingOf(name, size));
      rules.show(name, { text: word(RULE_WORDS[name].name), mark, state, chosen: name === rule });
    }
    for (const asked of ASKED_SIZES)
      sizes.show(String(asked), { text: asked.toLocaleString(language()), chosen: asked === size });
    setText(does, word(RULE_WORDS[rule].does));
    const finding = run.findingOf(rule, size);
    setText(found, findingWords(finding));
    const missed = run.biasOf(rule);
    setText(bias, biasWords(missed));
    chart.show({ run, rule, size });
    outcome.show({
      tokens: EXAMPLE.tokens,
      p: finding?.plain ?? EXAMPLE.p,
      longRun: missed.needs === null ? null : longRunOf(run.ruleOf(rule).procedure),
      shares: finding?.shares ?? EXAMPLE.p.map(() => 0),
      total: finding?.size ?? 0,
      latest: -1,
    });
  };

  sizes.offer(ASKED_SIZES.map(String));
  const legend = legendOf([
    ["target", "▢", word("plain sampling")],
    ["came", "■", word("this rule")],
    ["rejected", "◇", word("where it leads")],
  ]);
  const names = EXAMPLE.tokens.map((token) => el("span", "", token));
  const unheard = { class: "name-row", "aria-hidden": "true" }; // the picture above says them
  const asks = el("p", "chips-name", word("Tokens from plain sampling, and as many from the rule:"));
  body.append(
    el("div", "audit-left", chart.node, legend, outcome.node, el("div", unheard, ...names)),
    el("div", "audit-right", asks, sizes.node, rules.node, does, found, bias),
  );
  return {
    show: ({ picture }) => {
      const many = picture === "many samples";
      rule = picture === "bug" ? "other-q" : "no-residual";
      rules.offer(many ? ["exact", rule] : RULE_NAMES);
      asks.hidden = sizes.node.hidden = picture === "bug";
      ask(many ? LARGE_SAMPLE : ASKED_SIZES[0]);
    },
    note: () => word("The p and q are an example with made-up numbers; the samples are drawn here, from a seed."),
  };
});
