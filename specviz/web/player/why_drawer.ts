// The drawer: p and q side by side, the rule with its draw, and what was drawn instead.

import { activeIn, button, el, reveal, setText } from "../shared/dom.ts";
import { selectedIn } from "../shared/drafter_text.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import { heard, textPieces, tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { slotAt, tokensOf, wallOf } from "../shared/round.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { layoutOf } from "../shared/tree_layout.ts";
import { english, word } from "../shared/words.ts";
import { widestOf } from "./inline_guesses.ts";
import { candidatesOf, closingOf, closingReason, reasonOf, ruleAt } from "./reasons_text.ts";
import { candidateNodes, closingNodes, ruleNodes } from "./token_evidence.ts";

/** So much of the text before the token is shown: ids, and characters. */
const [BEFORE_IDS, BEFORE] = [12, 22];
/** Pixels between a token and the drawer, and those at the end of the stage that it leaves to the transport. */
const [GAP, KEPT] = [12, 40];
/** What stands beside the text and is hidden where the drawer comes over it: half a line that peeps out cannot be read. */
const BESIDE = ".role, .figure, .speech";

/** The round and the slot that the drawer is about. */
export type Focus = { index: number; slot: Slot };

export class WhyDrawer {
  title = el("h3", "why-title", "");
  reason = el("p", "why-reason", "");
  formula = button("chip", word("Formula"), () => this.toggleFormula());
  candidates = el("div", "candidates");
  rule = el("div", "rule");
  instead = el("div", "instead");
  node = el("section", { class: "why", "aria-label": word("Why this token"), tabindex: -1, hidden: true });
  /** Whether the viewer opened it: it takes the focus, and gives it back to what had it. */
  summoned = false;
  before: Element | null = null;
  withFormula = false;
  looks: Looks = {};
  /** What is shown now; empty for nothing. */
  shown = "";
  last: [Run, Position, Focus | null] | null = null;

  /** @param close called when the drawer is to be closed. */
  constructor(close: () => void) {
    const shut = button({ class: "chip", "aria-label": word("Close (Escape)") }, "✕", close);
    const says = el("div", "why-says", this.title, this.reason);
    const tools = el("div", "why-tools", this.formula, shut);
    this.node.append(says, this.candidates, this.rule, this.instead, tools);
  }

  toggleFormula() {
    this.withFormula = !this.withFormula;
    this.formula.setAttribute("aria-pressed", String(this.withFormula));
    this.shown = "";
    if (this.last) this.draw(...this.last);
  }

  /** @param focus null closes the drawer. */
  draw(run: Run, position: Position, focus: Focus | null) {
    this.last = [run, position, focus];
    const round = focus ? run.rounds[focus.index] : undefined;
    const active = activeIn(this.node);
    const inside = this.node.contains(active);
    reveal(this.node, Boolean(round));
    if (!focus || !round) {
      this.shown = "";
      if (inside && this.before instanceof HTMLElement) this.before.focus({ preventScroll: true });
      return;
    }
    const { index, slot } = focus;
    const state = slot === "closing" ? null : slotAt(round, position, slot);
    const recorded = slot !== "closing" && Boolean(round.drafted[slot].target_top);
    const moment = [state?.typed, state?.judged, position.swept, position.landed, recorded, run.over];
    const key = [run.id, index, slot, ...moment].join();
    if (key !== this.shown) {
      this.shown = key;
      if (slot === "closing") this.drawClosing(run, round, position.landed, index);
      else this.drawDrafted(run, round, position, index, slot);
      const said = [...this.title.children, this.reason].map((part) => part.textContent);
      this.node.ariaDescription = heard(said.join(" "));
    }
    if (!this.summoned) return;
    this.summoned = false;
    if (!inside) this.before = active;
    this.node.focus({ preventScroll: true });
  }

  /**
   * At the token that it is about: under its line, or over it where there is no room below. In its usual place where none is given.
   * @param root the stage
   */
  placeAt(root: HTMLElement, token: HTMLElement | undefined) {
    this.node.classList.toggle("at-token", Boolean(token));
    const open = !this.node.hidden && token;
    if (open) this.placeUnder(root, token);
    else this.node.style.top = "";
    const mine = open ? this.node.getBoundingClientRect() : null; // measuring lays out the page, in every frame
    for (const part of root.querySelectorAll(BESIDE)) {
      const box = mine && part.getBoundingClientRect();
      part.classList.toggle("beneath", Boolean(box && box.top < mine.bottom && box.bottom > mine.top));
    }
  }

  placeUnder(root: HTMLElement, token: HTMLElement) {
    const box = widestOf(token);
    const stage = root.getBoundingClientRect();
    const tall = this.node.offsetHeight;
    const below = box.bottom - stage.top + GAP;
    const over = below + tall > root.clientHeight - KEPT && box.top - stage.top - GAP - tall >= -GAP;
    this.node.classList.toggle("over", over);
    this.node.style.top = `${over ? box.top - stage.top - GAP - tall : below}px`;
    this.node.style.setProperty("--token", `${box.left + box.width / 2 - stage.left}px`);
  }

  drawDrafted(run: Run, round: Round, position: Position, index: number, slot: number) {
    const drafted = round.drafted[slot];
    const { judged } = slotAt(round, position, slot);
    const { swept, landed } = position;
    const selected = selectedIn(round);
    const where = run.branching
      ? word("depth {depth}", { depth: layoutOf(round.drafted).nodes[slot].depth + 1 })
      : word("position {position}", { position: slot + 1 });
    const values = { verb: word(selected?.verb ?? english("drafted")), round: index + 1, where };
    const path: number[] = [];
    for (let node = drafted.parent; node >= 0; node = round.drafted[node].parent)
      path.unshift(round.drafted[node].token ?? -1);
    const before = endOfText(run, round, path);
    const drawn = word("{verb} in round {round}, {where}", values);
    this.head(run, before, drafted.token, judged ? drafted.verdict : "", drawn);
    const origin = word(selected?.origin ?? english("It was written by the draft"));
    const waits = swept
      ? word("The target has scored it; the verdict comes next.")
      : word("{origin}; the target has not read it yet.", { origin });
    setText(this.reason, judged ? reasonOf(run, round, slot) : waits);
    this.candidates.replaceChildren(...candidateNodes(run, round, candidatesOf(run, drafted, swept), swept));
    this.rule.replaceChildren(...ruleNodes(run, judged ? ruleAt(run, drafted) : null, this.withFormula));
    const replaced = judged && drafted.verdict === "rejected" && landed && round.closing?.how === "corrected";
    this.instead.replaceChildren(...closingNodes(run, replaced ? closingOf(run, round) : null, this.withFormula));
  }

  drawClosing(run: Run, round: Round, landed: boolean, index: number) {
    const { closing } = round;
    this.rule.replaceChildren();
    if (!landed || !closing) {
      this.head(run, "", null, "", word("round {round}", { round: index + 1 }));
      const waits = word("The target's own token comes at the end of the round.");
      setText(this.reason, closing ? waits : closingReason(run, round));
      for (const part of [this.candidates, this.instead]) part.replaceChildren();
      return;
    }
    const before = endOfText(run, round, run.ids.slice(round.start, round.start + tokensOf(round) - 1));
    const written = word("written by the target in round {round}", { round: index + 1 });
    this.head(run, before, closing.token, closing.how, written);
    setText(this.reason, closingReason(run, round));
    const wall = round.drafted[wallOf(round)];
    this.candidates.replaceChildren(...(wall ? candidateNodes(run, round, candidatesOf(run, wall, true), true) : []));
    this.instead.replaceChildren(...closingNodes(run, closingOf(run, round), this.withFormula));
  }

  /** @param before the end of the text before the token, which the drawer may cover */
  head(run: Run, before: string, token: number | null, verdict: string, where: string) {
    const look = this.looks[verdict];
    const named = token === null ? [] : [el("span", "why-token", tokenLabel(run.bytes, token).text)];
    const parts = before ? [el("span", "why-before", before), ...named] : named;
    if (look) parts.push(el("span", `badge ${verdict}`, `${look.mark} ${look.word}`));
    parts.push(el("span", "why-where", where));
    this.title.replaceChildren(...parts);
  }
}

/**
 * The end of the text before a token of a round.
 * @param path the round's own tokens before it
 */
function endOfText(run: Run, round: Round, path: number[]) {
  const ids = [...run.promptIds, ...run.ids.slice(0, round.start), ...path].slice(-BEFORE_IDS);
  const text = textPieces(run.bytes, ids).join("").replace(/\s+/g, " ");
  return text.length > BEFORE ? `…${text.slice(-BEFORE)}` : text;
}
