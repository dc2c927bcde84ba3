// The rule in the reader's hands: p and q to drag, u as a needle, tokens to draw, and three wrong rules to switch in.

import { button, el, setText } from "../../shared/dom.ts";
import { Frames, wantsStillness } from "../../shared/frames.ts";
import { english, fixed, language, several, word } from "../../shared/words.ts";
import { fitted } from "../common/drawing.ts";
import { mountOf } from "../common/explorable.ts";
import { Choices, Dragger, legendOf } from "../common/widgets.ts";
import type { Pairing, Procedure, RuleName } from "../lesson_types.ts";
import * as rules from "./acceptance.ts";
import { Outcome } from "./outcome.ts";
import { PairBars } from "./pair_bars.ts";
import { meanNoise, seeded, stepBy, Tally, tokenAt, totalVariation } from "./sampling.ts";
import { verdictNeedle } from "./verdict_needle.ts";

const FRAMES_A_POUR = 40;

/** How many tokens a step about wrong rules begins with, and how many a step about the residual draws at most until one is rejected. */
const [SHOWN, TRIES] = [10_000, 200];

/** Pictures in which the exact rule judges one token after the other: no other rule, and no histogram. */
const ONE_RULE = ["bars", "residual"];

/** What the reader chose, and the token that is judged: `latest` is the one that came out last, `redraw` the random number that chose it. */
const FIRST = {
  pairing: rules.EXAMPLE,
  rule: "exact" as RuleName,
  temperature: 0.5,
  lit: mostRejected(rules.EXAMPLE),
  u: 0.5,
  redraw: null as number | null,
  latest: -1,
};

export const mountRule = mountOf(english("The acceptance rule, to try out"), (body) => {
  const state = { ...FIRST };
  let tally = new Tally(0);
  let waiting = 0;
  let chunk = 1;
  const random = seeded(0);
  const bars = new PairBars(
    state.pairing.tokens.length,
    (side, lit, shares) => change({ pairing: { ...state.pairing, [side]: shares }, lit }),
    () => render(),
  );
  const tokens = new Choices("token-row", word("The drafted token"), (name) => judge({ lit: Number(name) }));
  const ruleChoice = new Choices("rule-list", "Which rule judges", (rule: RuleName) => change({ rule }));
  const [saysRule, accepts] = [el("span"), el("span", "rule-accepts")];
  const temperatures = { min: 0, max: 3, step: 0.1 };
  const heat = new Dragger(word("The draft draws at temperature"), temperatures, (temperature) =>
    change({ temperature }),
  );
  const needle = verdictNeedle((u) => judge({ u }));
  const verdict = el("p", { class: "rule-verdict", "aria-live": "polite" });
  const outcome = new Outcome("outcome-picture");
  const [count, distance, beside] = [el("b", "out-count"), el("b", "out-distance"), el("span", "out-beside")];
  const leads = el("p", "rule-leads");
  const proof = proofOf();

  const procedureNow = () => rules.procedureOf(state.rule, state.pairing.p, state.pairing.q, state.temperature);

  /** What was drawn belongs to the p, q and rule that it was drawn with: with others it is forgotten. */
  const change = (what: Partial<typeof state>) => {
    Object.assign(state, what, { latest: -1, redraw: null });
    tally = new Tally(state.pairing.tokens.length);
    waiting = 0;
    render();
  };

  /** Judge another token, or with another random number. */
  const judge = (what: Partial<typeof state>) => {
    Object.assign(state, what, { redraw: null });
    render();
  };

  const drawOne = () => {
    const { drafted: lit, u, token: latest, redraw } = stepBy(procedureNow(), random);
    tally.add(latest);
    Object.assign(state, { lit, u, latest, redraw });
    render();
  };

  /** A step about the residual begins with a rejection and what is drawn instead, one about wrong rules with what such a rule draws. */
  const open = (picture: string) => {
    const [draws, tries, chooses] = [picture !== "bars", picture === "residual", !ONE_RULE.includes(picture)];
    ruleChoice.node.hidden = proof.node.hidden = !chooses;
    outcome.node.hidden = figures.hidden = leads.hidden = !chooses;
    asks.hidden = !draws;
    for (const chip of [hundred, thousands]) chip.hidden = tries;
    change({ rule: picture === "wrong rule" ? "no-residual" : "exact" });
    if (picture === "wrong rule") draw(SHOWN);
    for (let drawn = 0; tries && state.redraw === null && drawn < TRIES; drawn += 1) drawOne();
  };

  const draw = (more: number) => {
    waiting += more;
    chunk = wantsStillness() ? waiting : Math.ceil(waiting / FRAMES_A_POUR);
    state.latest = -1;
    frames.ask();
  };

  const frames = new Frames(body, () => {
    const now = Math.min(chunk, waiting);
    tally.draw(procedureNow(), now, random);
    waiting -= now;
    renderOutcome();
    return waiting > 0;
  });

  const render = () => {
    const { pairing, rule, temperature, lit, u, redraw } = state;
    const procedure = procedureNow();
    bars.show({ pairing, procedure, lit });
    pairing.tokens.forEach((text, i) => {
      tokens.show(String(i), { text, mark: `✓ ${fitted(procedure.accept[i], 2)}`, chosen: i === lit });
    });
    for (const name of rules.RULE_NAMES) {
      const longRun = rules.longRunOf(rules.procedureOf(name, pairing.p, pairing.q, temperature));
      const { mark, state } = rules.faithful(totalVariation(longRun, pairing.p));
      ruleChoice.show(name, { text: word(rules.RULE_WORDS[name].name), mark, state, chosen: name === rule });
    }
    setText(saysRule, word(rules.RULE_WORDS[rule].does));
    setText(accepts, rule === "exact" ? ` ${rules.acceptsWords(pairing)}` : "");
    heat.node.hidden = rule !== "other-q";
    heat.show(temperature, fixed(temperature, 1));
    needle.show({ pairing, procedure, lit, u, redraw, bound: rules.boundOf(rule, pairing, procedure, lit) });
    const came = redraw === null ? null : tokenAt(procedure.after, redraw);
    setText(verdict, rules.verdictOf(rule, pairing, procedure, { lit, u, came }));
    proof.show(pairing, procedure, lit);
    renderOutcome();
  };

  const renderOutcome = () => {
    const { pairing, rule, latest } = state;
    const { shares, total } = tally;
    const longRun = rules.longRunOf(procedureNow());
    const missed = totalVariation(longRun, pairing.p);
    outcome.show({ ...pairing, longRun: missed < rules.ROUNDING ? null : longRun, shares, total, latest });
    const [found, expected] = [totalVariation(shares, pairing.p), meanNoise(pairing.p, total)].map((value) =>
      fixed(value, total < 1000 ? 2 : 3),
    );
    const drawn = word(
      "away from p (▢): half the sum of all differences, the total variation distance. Plain sampling alone: about {expected}",
      { expected },
    );
    setText(count, several(total, "{count} [token|tokens] came out (■)", { count: total.toLocaleString(language()) }));
    setText(distance, total ? found : "–");
    setText(beside, total ? drawn : word("nothing drawn yet"));
    setText(leads, rules.leadsTo(rule, missed));
  };

  tokens.offer(state.pairing.tokens.map((_, i) => String(i)));
  ruleChoice.offer(rules.RULE_NAMES);
  const legend = legendOf([
    ["draft", "▢", word("q, the draft")],
    ["target", "▢", word("p, the target")],
    ["accepted", "✓", word("accepted")],
    ["rejected", "✕", word("rejected")],
    ["residual", "✎", word("drawn instead")],
  ]);
  const hundred = button("chip", word("Draw 100"), () => draw(100));
  const thousands = button("chip", word("Draw 10,000"), () => draw(10_000));
  const asks = el(
    "div",
    "draw-row",
    button("chip", word("Draw 1"), drawOne),
    hundred,
    thousands,
    button("chip", word("Start again"), () => change({})),
  );
  const figures = el("p", "out-figures", count, distance, beside);
  const does = el("p", "rule-does", saysRule, accepts);
  body.append(
    el("div", "rule-left", legend, bars.node, tokens.node, outcome.node, figures, asks),
    el("div", "rule-right", ruleChoice.node, does, heat.node, needle.node, verdict, leads, proof.node),
  );
  return { show: ({ picture }) => open(picture), note: () => word(rules.EXAMPLE_NOTE) };
});

/** The token that the rule has most to do with: the one of which most is rejected. */
function mostRejected({ p, q }: Pairing) {
  const excess = q.map((offered, i) => offered - p[i]);
  return excess.indexOf(Math.max(...excess));
}

/** The two-line proof, folded, with the numbers of the token that is judged. */
function proofOf() {
  const lines = [
    word("Drafted and accepted: q(x) · min(1, p(x)/q(x)) = min(q(x), p(x))."),
    word("Rejected, which happens in Σ max(0, p − q) of all cases, and drawn instead: max(0, p(x) − q(x))."),
  ];
  const numbers = el("p", "proof-numbers");
  const node = el(
    "details",
    "proof",
    el("summary", "", word("Why the exact rule gives p: two lines")),
    el("ol", "proof-lines", ...lines.map((line) => el("li", "", line))),
    el("p", "", word("The sum of the two is p(x), for every token x and every q.")),
    numbers,
  );
  const show = ({ tokens, p }: Pairing, procedure: Procedure, index: number) => {
    const { accepted, redrawn } = rules.partsOf(procedure);
    const parts = [accepted[index], redrawn[index], accepted[index] + redrawn[index], p[index]];
    const [one, two, sum, wanted] = parts.map((share) => fixed(share, 3));
    const same = Math.abs(parts[2] - p[index]) < 5e-4 ? "=" : "≠";
    const given = { token: tokens[index], one, two, sum, same, p: wanted };
    setText(numbers, word("“{token}” by the rule chosen above: {one} + {two} = {sum} {same} p = {p}", given));
  };
  return { node, show };
}
