// What the drawer shows of one token: its candidates, the rule with its draw, and what was drawn instead. Each returns new nodes.
// Where the rule uses other probabilities than those at temperature 1, each number says which it is.

import { el } from "../shared/dom.ts";
import { selectedIn } from "../shared/drafter_text.ts";
import type { Round } from "../shared/json_types.ts";
import { heard, number, percent } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { type Candidate, type closingOf, formulaOf, type ruleAt } from "./reasons_text.ts";

/** A row for each candidate: q to the left, p to the right, longer is more probable; the longest bar fills its side. */
export function candidateNodes(run: Run, round: Round, rows: Candidate[], swept: boolean) {
  if (!rows.length) {
    const waits = word("The alternatives come with the full recording, when the run is over.");
    return [el("p", "why-empty", run.over ? word("No alternatives were recorded here.") : waits)];
  }
  const selected = selectedIn(round);
  const [q, p] = [
    el("span", { class: "side q", role: "columnheader" }, selected ? `${word(selected.from)}: q` : word("draft: q")),
    el("span", { class: "side p", role: "columnheader" }, word("target: p")),
  ];
  const head = el("div", { class: "candidate head", role: "row" });
  const where = run.drafterText.certain ? word("at temperature 1") : word("in the rule");
  head.append(q, el("span", { class: "name", role: "columnheader" }, where), p);
  const readRows = rows.map((row) => ({ ...row, p: swept ? row.p : null }));
  const longest = Math.max(...readRows.flatMap(({ q, p }) => [q ?? 0, p ?? 0]));
  return [el("div", { role: "table" }, head, ...readRows.map((row) => candidateNode(row, longest)))];
}

function candidateNode(row: Omit<Candidate, "p"> & { p: number | null }, longest: number) {
  return el(
    "div",
    { class: `candidate${row.mine ? " mine" : ""}`, role: "row", "aria-current": row.mine ? "true" : "" },
    bar("q", row.q, longest),
    el(
      "span",
      { class: `name${row.label.raw ? " raw" : ""}`, role: "rowheader", "aria-label": heard(row.label.text) },
      row.label.text,
    ),
    bar("p", row.p, longest),
  );
}

/** @param longest the value whose bar fills its side. */
function bar(kind: "q" | "p", value: number | null, longest: number) {
  const share = longest > 0 ? (value ?? 0) / longest : 0;
  const fill = el("span", { class: `fill${value ? "" : " none"}`, "--share": share });
  return el("span", { class: `side ${kind}`, role: "cell" }, el("span", "value", number(value, 3)), fill);
}

/**
 * The bound as a stretch of a line from 0 to 1, the draw as a needle on it.
 * @param rule null before the verdict.
 */
export function ruleNodes({ drafterText }: Run, rule: ReturnType<typeof ruleAt> | null, withFormula: boolean) {
  if (!rule) return [];
  const formula = formulaOf(drafterText);
  if (rule.verdict === "discarded" && rule.rule !== "block")
    return withFormula ? [el("p", "formula", word("{formula}: not applied to this one", { formula }))] : [];
  const nodes = [
    el("h4", "", drafterText.lossy ? word("The {rule} rule: LOSSY", { rule: rule.rule }) : word("The rule")),
  ];
  if (rule.bound !== null) {
    nodes.push(gaugeNode(rule.bound, rule), endsNode(), el("p", "rule-words", boundWords(rule.bound, rule)));
  }
  if (withFormula) nodes.push(el("p", "formula", formula));
  return nodes;
}

function boundWords(bound: number, { rule, u, greedy, noise }: ReturnType<typeof ruleAt>) {
  if (greedy && noise) return word("With the noise the rule accepts the target's choice and no other.");
  if (greedy) return word("At temperature 0 the rule accepts the target's most likely token and no other.");
  const drawn = u === null ? "" : word("; random number u = {u}", { u: number(u, 3) });
  if (rule === "block") return `h = ${percent(bound)}${drawn}`;
  return `min(1, ${rule === "lenient" ? "p/(l·q)" : "p/q"}) = ${percent(bound)}${drawn}`;
}

function gaugeNode(bound: number, { u, verdict }: ReturnType<typeof ruleAt>) {
  const values = { bound: number(bound, 3), u: number(u, 3) };
  const label = u === null ? word("accepted below {bound}", values) : word("accepted below {bound}, drawn {u}", values);
  const zone = el("span", { class: "zone", "--bound": bound });
  const gauge = el("div", { class: "gauge", role: "img", "aria-label": label }, zone);
  if (u !== null) gauge.append(el("span", { class: `needle ${verdict}`, "--at": u }));
  return gauge;
}

function endsNode() {
  return el("div", "ends", el("span", "", "0"), el("span", "", "1"));
}

/** The distribution that the closing token was drawn from. */
export function closingNodes(run: Run, closing: ReturnType<typeof closingOf>, withFormula: boolean) {
  if (!closing) return [];
  const residual = closing.how === "corrected";
  const nodes: HTMLElement[] = [el("h4", "", headOf(residual, run.drafterText.certain))];
  if (withFormula) nodes.push(el("p", "formula", sourceOf(residual)));
  const longest = Math.max(...closing.rows.map((row) => row.share));
  for (const row of closing.rows) {
    const node = el("div", `share${row.mine ? ` mine ${closing.how}` : ""}`);
    const values = { p: number(row.atOne, 3), logit: number(row.logit, 2) };
    const fill = el("span", { class: "fill", "--share": longest > 0 ? row.share / longest : 0 });
    const name = el("span", `name${row.label.raw ? " raw" : ""}`, row.label.text);
    explain(name, word("target: {p} at temperature 1, logit {logit}", values));
    node.append(name, fill, el("span", "value", number(row.share, 3)));
    nodes.push(node);
  }
  if (!closing.rows.length) {
    const waits = word("Its alternatives come with the full recording.");
    nodes.push(el("p", "why-empty", run.over ? word("No alternatives were recorded here.") : waits));
  }
  return nodes;
}

/**
 * @param instead after a rejection.
 * @param certain nothing was drawn.
 */
function headOf(instead: boolean, certain: boolean) {
  if (certain) return instead ? word("Written instead") : word("Written");
  return instead ? word("Drawn instead") : word("Drawn from p");
}

function sourceOf(residual: boolean) {
  if (!residual) return word("from p itself");
  return word("from max(0, p − q), scaled to sum to 1");
}
