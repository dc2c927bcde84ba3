// The guesses of the round in the line of the text: a chip for each at the caret, and under the target's own token the guess that it replaced.

import { el, setText } from "../shared/dom.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import { heard } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { judgedAsBlock, stagedAt } from "../shared/round.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { filledAt } from "../shared/trained_heads.ts";
import { word } from "../shared/words.ts";
import { guessesAt, inLine, noGuessWords } from "./inline_guesses_layout.ts";

export class InlineGuesses {
  caret: HTMLElement;
  /** All that moves in the text while a round goes on: if it stood among the tokens, the browser would style all of them again. */
  node: HTMLSpanElement;
  sunk = chipFor(-1);
  nothing = el("span", "no-guess", "");
  row = el("span", { class: "guesses", role: "group", "aria-label": word("The guesses of this round") });
  chips: Chip[] = [];
  key = "";
  final = 0;
  replaced = -1;
  /** What stands at the caret, in short: whoever scrolls looks whether it changed. */
  state = "";

  /** @param caret stands where the final text ends. */
  constructor(caret: HTMLElement) {
    this.caret = caret;
    this.row.append(this.nothing);
    this.node = el("span", "tip", caret, this.row);
    this.sunk.node.className = "sunk";
    this.sunk.node.hidden = true;
  }

  write(chip: Chip, run: Run, token: number | null) {
    const { lead, text, says, raw } = inLine(run.bytes, token);
    setText(chip.lead, lead);
    setText(chip.text, text);
    setText(chip.says, says);
    chip.body.classList.toggle("raw", raw);
  }

  dress(chip: Chip, kind: string, looks: Looks) {
    if (chip.kind === kind) return;
    chip.kind = kind;
    chip.node.hidden = !kind;
    chip.node.className = `guess ${kind}`;
    const look = looks[kind];
    chip.body.dataset.mark = look?.mark ?? "";
    chip.body.ariaLabel = heard(`“${chip.text.textContent}”${look ? `, ${look.word}` : word(", a guess")}`);
  }

  clear() {
    this.key = "";
    for (const chip of this.chips) this.dress(chip, "", {});
    this.replaced = -1;
    this.sunk.node.hidden = true;
    this.node.dataset.staged = "";
    setText(this.nothing, "");
    this.move(0);
    this.state = "";
  }

  /** The caret stands before the first guess that is not final. */
  move(final: number) {
    if (this.final === final) return;
    this.final = final;
    if (final) this.row.insertBefore(this.caret, this.chips[final]?.node ?? this.nothing);
    else this.row.before(this.caret);
  }

  /** @param round null where it stands elsewhere: as a tree, as cards. */
  draw(run: Run, round: Round | undefined, position: Position, looks: Looks) {
    if (!round) {
      if (this.key) this.clear();
      return;
    }
    const key = `${run.id} ${position.index} ${round.drafted.map(({ token }) => token)}`;
    if (key !== this.key) {
      this.clear();
      this.key = key;
      while (this.chips.length < round.drafted.length) {
        const chip = chipFor(this.chips.length);
        chip.node.hidden = true;
        this.chips.push(chip);
        this.nothing.before(chip.node);
      }
      round.drafted.forEach(({ token }, i) => void this.write(this.chips[i], run, token));
    }
    const { kinds, final, replaced } = guessesAt(run, round, position);
    for (const [i, kind] of kinds.entries()) this.dress(this.chips[i], kind, looks);
    this.move(final);
    this.row.classList.toggle("checking", position.phase === "verify");
    this.row.classList.toggle("block", judgedAsBlock(round));
    if (position.phase === "verify") this.row.style.setProperty("--progress", String(position.sweep));
    const filled = position.phase === "draft" ? filledAt(run.drafterText, position.fraction) : null;
    this.row.classList.toggle("filling", filled !== null);
    if (filled !== null) this.row.style.setProperty("--filled", String(filled));
    setText(this.nothing, noGuessWords(run, round, position));
    this.sink(run, round, replaced, looks);
    this.node.dataset.staged = stagedAt(round, position);
    this.state = `${kinds} ${this.nothing.textContent}`;
  }

  /** The guess that was replaced. */
  sink(run: Run, round: Round, slot: number, looks: Looks) {
    if (slot === this.replaced) return;
    this.replaced = slot;
    this.sunk.node.hidden = slot < 0;
    if (slot < 0) return;
    this.sunk.body.dataset.slot = String(slot);
    this.write(this.sunk, run, round.drafted[slot].token);
    setText(this.sunk.lead, `${looks.rejected?.mark ?? ""} `);
    this.sunk.lead.ariaHidden = "true";
    this.sunk.body.ariaLabel = heard(`“${this.sunk.text.textContent}”, ${looks.rejected?.word ?? ""}`);
  }

  /** Put it under the token that took its place, inside the page. */
  hang(page: HTMLElement, own: HTMLElement | undefined) {
    if (this.sunk.node.hidden || !own) return;
    const { left, bottom } = widestOf(own);
    const corner = page.getBoundingClientRect();
    const { paddingRight } = getComputedStyle(page);
    const room = page.clientWidth - Number.parseFloat(paddingRight) - this.sunk.node.offsetWidth;
    this.sunk.node.style.left = `${Math.max(0, Math.min(left - corner.left, room))}px`;
    this.sunk.node.style.top = `${bottom - corner.top - page.clientTop + page.scrollTop}px`;
  }

  /** Where a guess stands, if it does. */
  placeOf(slot: Slot) {
    if (slot === this.replaced && !this.sunk.node.hidden) return this.sunk.node;
    const chip = slot === "closing" ? undefined : this.chips[slot];
    return chip?.kind ? chip.body : undefined;
  }
}

type Chip = ReturnType<typeof chipFor>;

/** The chip of a guess: the space before it is outside of its box. */
function chipFor(slot: number) {
  const lead = el("span", "lead", "");
  const [text, says] = [el("span", "text", ""), el("span", "says", "")];
  const body = el("span", { class: "body", role: "button", tabindex: 0, "data-slot": slot }, text, says);
  return { node: el("span", "guess", lead, body), lead, body, text, says, kind: "" };
}

/** The box of an inline element on the line where most of it stands: the space before a word may end the line above. */
export function widestOf(node: HTMLElement) {
  const boxes = [...node.getClientRects()].sort((a, b) => b.width - a.width);
  return boxes[0] ?? node.getBoundingClientRect();
}
