// A planted bug: the wrong rules as an audit sees them, which has only samples, and the noise of samples.

import { el, setText } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, language, word } from "../../shared/words.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Choices, legendOf } from "../common/widgets.ts";
import type { RuleName } from "../lesson_types.ts";
import { longRunOf, RULE_NAMES } from "../rule/acceptance.ts";
import { EXAMPLE } from "../rule/example_pair.ts";
import { Outcome } from "../rule/outcome.ts";
import { RULE_WORDS } from "../rule/rule_text.ts";
import { AuditChart } from "./audit_chart.ts";
import { AuditRun, accusationOf, biasWords, findingWords } from "./audit_run.ts";

const ASKED_SIZES = [100, 1000, 10_000, 100_000];
const TOKENS_A_FRAME = 2000;
/** What the draft of the rule "other-q" draws at. */
const TEMPERATURE = 0.5;

class AuditBench {
  frames: Frames;
  run = new AuditRun(EXAMPLE, TEMPERATURE, 0);
  rule: RuleName = "no-residual";
  size: number = ASKED_SIZES[0];
  rules = new Choices(word("Which rule is audited"), (name: RuleName) => {
    this.rule = name;
    this.render();
  });
  sizes = new Choices(word("How many tokens are drawn"), (name) => this.ask(Number(name)));
  does = el("p", "rule-does", "");
  found = el("p", { class: "audit-found", "aria-live": "polite" }, "");
  bias = el("p", "audit-bias", "");
  chart = new AuditChart("audit-chart");
  outcome = new Outcome("outcome-picture");
  /** The picture above says them. */
  names = el(
    "div",
    { class: "name-row", "aria-hidden": "true" },
    ...EXAMPLE.tokens.map((token) => el("span", "", token)),
  );

  constructor(body: HTMLElement) {
    this.frames = new Frames(body, () => this.tick());
    this.rules.node.classList.add("rule-list");
    this.rules.offer(RULE_NAMES);
    this.sizes.node.classList.add("size-row");
    this.sizes.offer(ASKED_SIZES.map(String));
    this.arrange(body);
  }

  arrange(body: HTMLElement) {
    const legend = legendOf([
      ["target", "▢", word("plain sampling")],
      ["came", "■", word("this rule")],
      ["rejected", "◇", word("where it leads")],
    ]);
    const left = el("div", "audit-left", this.chart.node, legend, this.outcome.node, this.names);
    const right = el(
      "div",
      "audit-right",
      el("p", "chips-name", word("Tokens from plain sampling, and as many from the rule:")),
      this.sizes.node,
    );
    right.append(this.rules.node, this.does, this.found, this.bias);
    body.append(left, right);
  }

  show() {
    this.ask(ASKED_SIZES[0]);
  }

  note() {
    return word("The p and q are an example with made-up numbers; the samples are drawn here, from a seed.");
  }

  ask(size: number) {
    this.size = size;
    if (wantsStillness() || size <= TOKENS_A_FRAME) this.run.advance(size);
    this.render();
    this.frames.ask();
  }

  /** One frame's share of the tokens that are still to be drawn. */
  tick() {
    if (this.run.done >= this.size) return false;
    this.run.advance(Math.min(this.size, this.run.done + TOKENS_A_FRAME));
    this.render();
    return this.run.done < this.size;
  }

  render() {
    const { run, rule, size } = this;
    const { tokens, p } = EXAMPLE;
    for (const name of RULE_NAMES) {
      const { mark, state } = accusationOf(run.findingOf(name, size));
      this.rules.show(name, { text: word(RULE_WORDS[name].name), mark, state, chosen: name === rule });
    }
    for (const asked of ASKED_SIZES) {
      this.sizes.show(String(asked), { text: asked.toLocaleString(language()), chosen: asked === size });
    }
    setText(this.does, word(RULE_WORDS[rule].does));
    const finding = run.findingOf(rule, size);
    setText(this.found, findingWords(finding));
    const bias = run.biasOf(rule);
    setText(this.bias, biasWords(bias));
    this.chart.show({ run, rule, size });
    const nothing = tokens.map(() => 0);
    this.outcome.show({
      tokens,
      p: finding?.plain ?? p,
      longRun: bias.needs === null ? null : longRunOf(run.ruleOf(rule).procedure),
      shares: finding?.shares ?? nothing,
      total: finding?.size ?? 0,
      latest: -1,
    });
  }
}

export const mountAudit = mountOf(english("A planted bug, as an audit sees it"), (body) => new AuditBench(body));
