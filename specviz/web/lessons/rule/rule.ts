// The rule in the reader's hands: p and q to drag, u as a needle, tokens to draw, and three wrong rules to switch in.

import { button, el, setText } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, fixed, language, several, word } from "../../shared/words.ts";
import { fitted } from "../common/drawing.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { Choices, Dragger, legendOf } from "../common/widgets.ts";
import type { Pairing, RuleName } from "../lesson_types.ts";
import { longRunOf, procedureOf, ROUNDING, RULE_NAMES } from "./acceptance.ts";
import { totalVariation, withShare } from "./distributions.ts";
import { EXAMPLE, EXAMPLE_NOTE } from "./example_pair.ts";
import { Outcome } from "./outcome.ts";
import { PairBars } from "./pair_bars.ts";
import { Proof } from "./proof.ts";
import { acceptsWords, boundOf, distanceWords, faithful, leadsTo, RULE_WORDS, verdictOf } from "./rule_text.ts";
import { seeded, stepBy, Tally, tokenAt } from "./sampling.ts";
import { meanNoise } from "./statistics.ts";
import { VerdictNeedle } from "./verdict_needle.ts";

const TEMPERATURES = { min: 0, max: 3, step: 0.1, page: 0.5 };
const FRAMES_A_POUR = 40;
const FIRST_U = 0.5;

class RuleBench {
  frames: Frames;
  pairing: Pairing = EXAMPLE;
  /** p and q when a bar was gripped: the others keep their proportions through a whole gesture. */
  gripped: Pairing = this.pairing;
  rule: RuleName = "exact";
  temperature = 0.5;
  lit: number = mostRejected(this.pairing);
  u: number = FIRST_U;
  redraw: number | null = null;
  latest = -1;
  random: () => number = seeded(0);
  tally = new Tally(0);
  waiting = 0;
  chunk = 1;
  bars = new PairBars({
    begin: () => {
      this.gripped = this.pairing;
    },
    change: (side, lit, value) =>
      this.change({ pairing: { ...this.pairing, [side]: withShare(this.gripped[side], lit, value) }, lit }),
    end: () => this.render(),
  });
  tokens = new Choices(word("The drafted token"), (name) => this.judge(Number(name), this.u));
  rules = new Choices("Which rule judges", (rule: RuleName) => this.change({ rule }));
  saysRule = el("span", "", "");
  accepts = el("span", "rule-accepts", "");
  does = el("p", "rule-does", this.saysRule, this.accepts);
  heat = new Dragger(word("The draft draws at temperature"), TEMPERATURES, (temperature) =>
    this.change({ temperature }),
  );
  ruling = new VerdictNeedle((u) => this.judge(this.lit, u));
  verdict = el("p", { class: "rule-verdict", "aria-live": "polite" }, "");
  outcome = new Outcome("outcome-picture");
  count = el("b", "out-count", "");
  figure = el("b", "out-distance", "");
  beside = el("span", "out-beside", "");
  leads = el("p", "rule-leads", "");
  proof = new Proof();

  constructor(body: HTMLElement) {
    this.frames = new Frames(body, () => this.pour());
    this.tokens.node.classList.add("token-row");
    this.tokens.offer(this.pairing.tokens.map((_, i) => String(i)));
    this.rules.node.classList.add("rule-list");
    this.rules.offer(RULE_NAMES);
    body.append(this.left(), this.right());
  }

  left() {
    const legend = legendOf([
      ["draft", "▢", word("q, the draft")],
      ["target", "▢", word("p, the target")],
      ["accepted", "✓", word("accepted")],
      ["rejected", "✕", word("rejected")],
      ["residual", "✎", word("drawn instead")],
    ]);
    const asks = el(
      "div",
      "draw-row",
      button("chip", word("Draw 1"), () => this.drawOne()),
      button("chip", word("Draw 100"), () => this.draw(100)),
      button("chip", word("Draw 10,000"), () => this.draw(10_000)),
      button("chip", word("Start again"), () => this.change({})),
    );
    const figures = el("p", "out-figures", this.count, this.figure, this.beside);
    return el("div", "rule-left", legend, this.bars.node, this.tokens.node, this.outcome.node, figures, asks);
  }

  right() {
    return el(
      "div",
      "rule-right",
      this.rules.node,
      this.does,
      this.heat.node,
      this.ruling.node,
      this.verdict,
      this.leads,
      this.proof.node,
    );
  }

  // ------------------------------------------------------------ what comes

  show() {
    this.change({});
  }

  note() {
    return word(EXAMPLE_NOTE);
  }

  // ------------------------------------------------------------ what the reader does

  /** What was drawn belongs to the p, q and rule that it was drawn with: with others it is forgotten. */
  change(what: Partial<Pick<RuleBench, "pairing" | "rule" | "temperature" | "lit">>) {
    Object.assign(this, what, { tally: new Tally(this.pairing.tokens.length), waiting: 0, latest: -1, redraw: null });
    this.render();
  }

  /** Judge a token with a random number. */
  judge(lit: number, u: number) {
    Object.assign(this, { lit, u, redraw: null });
    this.render();
  }

  drawOne() {
    const { drafted: lit, u, token: latest, redraw } = stepBy(this.procedure, this.random);
    this.tally.add(latest);
    Object.assign(this, { lit, u, latest, redraw });
    this.render();
  }

  draw(count: number) {
    this.waiting += count;
    this.chunk = wantsStillness() ? this.waiting : Math.ceil(this.waiting / FRAMES_A_POUR);
    this.latest = -1;
    this.frames.ask();
  }

  /** One frame's share of the tokens that were asked for. */
  pour() {
    const count = Math.min(this.chunk, this.waiting);
    this.tally.draw(this.procedure, count, this.random);
    this.waiting -= count;
    this.renderOutcome();
    return this.waiting > 0;
  }

  // ------------------------------------------------------------ what is seen

  get procedure() {
    return procedureOf(this.rule, this.pairing.p, this.pairing.q, this.temperature);
  }

  render() {
    const { pairing, procedure, rule, lit, u, redraw } = this;
    this.bars.show({ pairing, procedure, lit });
    pairing.tokens.forEach((text, i) => {
      const accept = `✓ ${fitted(procedure.accept[i], 2)}`;
      this.tokens.show(String(i), { text, mark: accept, chosen: i === lit });
    });
    this.renderRules();
    this.ruling.show({ pairing, procedure, lit, u, redraw, bound: boundOf(rule, pairing, procedure, lit) });
    const came = redraw === null ? null : tokenAt(procedure.after, redraw);
    setText(this.verdict, verdictOf(rule, pairing, procedure, { lit, u, came }));
    this.proof.show(pairing, procedure, lit);
    this.renderOutcome();
  }

  renderRules() {
    const { p, q } = this.pairing;
    for (const name of RULE_NAMES) {
      const procedure = procedureOf(name, p, q, this.temperature);
      const { mark, state } = faithful(totalVariation(longRunOf(procedure), p));
      this.rules.show(name, { text: word(RULE_WORDS[name].name), mark, state, chosen: name === this.rule });
    }
    const accepts = this.rule === "exact" ? ` ${acceptsWords(this.pairing)}` : "";
    setText(this.accepts, accepts);
    setText(this.saysRule, word(RULE_WORDS[this.rule].does));
    this.heat.node.hidden = this.rule !== "other-q";
    this.heat.show(this.temperature, fixed(this.temperature, 1));
  }

  renderOutcome() {
    const { pairing, procedure, tally, latest } = this;
    const longRun = longRunOf(procedure);
    const missed = totalVariation(longRun, pairing.p);
    const { tokens, p } = pairing;
    const { shares, total } = tally;
    this.outcome.show({ tokens, p, longRun: missed < ROUNDING ? null : longRun, shares, total, latest });
    const { figure, beside } = distanceWords(total, totalVariation(shares, p), meanNoise(p, total));
    setText(
      this.count,
      several(total, "{count} [token|tokens] came out (■)", {
        count: total.toLocaleString(language()),
      }),
    );
    setText(this.figure, figure);
    setText(this.beside, beside);
    setText(this.leads, leadsTo(this.rule, missed));
  }
}

/** The token that the rule has most to do with: the one of which most is rejected. */
function mostRejected({ p, q }: Pairing) {
  const excess = q.map((offered, i) => offered - p[i]);
  return excess.indexOf(Math.max(...excess));
}

export const mountRule = mountOf(english("The acceptance rule, to try out"), (body) => new RuleBench(body));
