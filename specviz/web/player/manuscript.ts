// The text so far: a span for every token of the run; how many of them are shown depends on the clock. Where the text is the stage
// (`paged`), the guesses of the round stand in it at the caret, those of a tree under it, and are ink as soon as the target's token is.
//
// The page has one size of type and one flow, with the models in its margin. The other design, a large line of the present between small
// lines of the past, was read further away, but every word moved when its line passed, and a tree had no room below it.

import { el, followEnd, setText } from "../shared/dom.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import { promptPieces, textPieces } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import { copiedOf, matchedOf, slotsOf, tokensOf } from "../shared/round.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { InlineGuesses } from "./inline_guesses.ts";

/** What a note beside a tree needs. */
const NOTE_PX = 170;

export class Manuscript {
  node = el("div", { class: "manuscript", "aria-label": word("The text so far"), role: "group", tabindex: 0 });
  prompt = el("span", "prompt");
  caret = el("span", "caret", "");
  guesses = new InlineGuesses(this.caret);
  /** Where a tree of guesses stands. */
  under = el("div", "under");
  /** What was scrolled to last, and the round whose tree was put in its place. */
  followed = "";
  placed = "";
  spans: HTMLElement[] = [];
  promptSpans: HTMLElement[] = [];
  shown = 0;
  fresh: number[] = [0, 0];
  copied: [number, number] | null = null;
  matched: [number, number] | null = null;

  constructor() {
    this.clear();
    new ResizeObserver(() => this.follow()).observe(this.node);
  }

  /** In a box of another size the newest words are in view again, on full lines. */
  follow() {
    this.followed = "";
    this.placed = "";
    if (!this.shown || this.node.closest(".paged")) return;
    this.node.scrollTop = 0;
    followEnd(this.node, this.caret);
  }

  clear() {
    this.spans = [];
    this.shown = 0;
    this.fresh = [0, 0];
    this.promptSpans = [];
    this.copied = null;
    this.matched = null;
    this.prompt.replaceChildren();
    this.guesses.clear();
    this.node.replaceChildren(this.prompt, this.guesses.sunk.node, this.guesses.node, this.under); // in the order in which they are read
  }

  /** Add spans for the tokens that have come since the last call. */
  fill(run: Run) {
    if (!run.ids.length && !this.promptSpans.length) setText(this.prompt, run.prompt); // until its tokens are known
    if (!run.ids.length || run.ids.length === this.spans.length) return;
    const pieces = textPieces(run.bytes, [...run.promptIds, ...run.ids]).slice(run.promptIds.length);
    this.fillPrompt(run);
    run.rounds.forEach((round, index) => {
      const { start, closing } = round;
      slotsOf(round).forEach((slot, i) => {
        if (start + i < this.spans.length) return;
        const how = slot === "closing" && closing ? closing.how : "accepted";
        const [lead] = /^ */.exec(pieces[start + i]) ?? [""]; // a space at the end of a line is no part of a word's colours
        const which = { "data-slot": slot, "data-round": index, hidden: true } as const;
        const span = el("span", { class: `token ${how}${i === 0 ? " first" : ""}`, ...which });
        span.append(lead, el("span", "ink", pieces[start + i].slice(lead.length)));
        this.spans.push(span);
        this.guesses.node.before(span);
      });
    });
  }

  /** A span for each token of the prompt too: a draft may be copied from there. */
  fillPrompt({ bytes, promptIds, prompt }: Run) {
    if (promptIds.length === this.promptSpans.length) return;
    const { pieces, template } = promptPieces(bytes, promptIds, prompt);
    this.promptSpans = pieces.map((piece) => el("span", "", piece));
    this.prompt.replaceChildren(...this.promptSpans, ...(template ? [templateMark()] : []));
  }

  /** @param how `tree` where the guesses of this round are drawn as one */
  draw(run: Run, position: Position, { paged, tree, looks }: { paged: boolean; tree: boolean; looks: Looks }) {
    const round = run.rounds[position.index];
    const { spans } = this;
    const joined = paged && round && position.landed ? round.start + tokensOf(round) : position.committed;
    const visible = Math.min(joined, spans.length);
    for (let i = Math.min(visible, this.shown); i < Math.max(visible, this.shown); i += 1)
      spans[i].hidden = i >= visible;
    const fresh = round ? [round.start, visible] : [0, 0];
    if (fresh[0] !== this.fresh[0] || fresh[1] !== this.fresh[1]) {
      for (let i = this.fresh[0]; i < this.fresh[1]; i += 1) spans[i].classList.remove("new");
      for (let i = fresh[0]; i < fresh[1]; i += 1) spans[i].classList.add("new");
      this.fresh = fresh;
    }
    this.light(position.landed ? null : copiedOf(round), position.landed ? null : matchedOf(round));
    const moved = visible !== this.shown;
    this.shown = visible;
    this.guesses.draw(run, paged && !tree ? round : undefined, position, looks);
    if (paged) this.followRound(run, round, position, tree);
    else if (moved) followEnd(this.node, this.caret);
  }

  /** On the page: the round in view, with its guesses and the line under them, or its tree. */
  followRound(run: Run, round: Round | undefined, { index, landed, judged }: Position, tree: boolean) {
    const key = [run.id, index, this.shown, this.guesses.state, tree, landed, judged].join();
    if (key === this.followed || !this.node.clientHeight) return;
    this.followed = key;
    if (tree) this.placeTree(`${run.id} ${index}`);
    this.guesses.hang(this.node, round && this.spans[round.start + round.accepted.length]);
    const { node, under } = this;
    const line = Number.parseFloat(getComputedStyle(node).lineHeight);
    const corner = node.getBoundingClientRect().top - node.scrollTop;
    const endOf = (part: Element) => part.getBoundingClientRect().bottom - corner;
    const path = tree ? [...under.querySelectorAll(".slot.accepted")] : [];
    const right = Math.max(0, ...path.map((slot) => slot.getBoundingClientRect().right));
    if (right) under.scrollLeft += Math.max(0, right - under.getBoundingClientRect().right);
    const linesTo = (end: number) => Math.ceil(Math.max(0, end - node.clientHeight) / line);
    const caret = this.caret.getBoundingClientRect();
    const before = Math.floor((caret.top - corner - node.clientTop) / line); // lines before the caret's
    const below = Math.max(endOf(this.guesses.node) + line, caret.bottom - corner + 2 * line); // room for a line of guesses, and under it
    const wanted = Math.min(linesTo(tree ? endOf(under) : below), before);
    node.scrollTop = line * Math.max(wanted, ...path.map((slot) => linesTo(endOf(slot)))); // of a tree too tall for the page, its path
  }

  /** A tree stands under the caret, further left where it would not fit. */
  placeTree(key: string) {
    const grid = this.under.querySelector(".tree");
    if (key === this.placed || !(grid instanceof HTMLElement)) return;
    this.placed = key;
    this.under.style.paddingLeft = "0";
    const from = this.caret.getBoundingClientRect().left - this.under.getBoundingClientRect().left;
    const room = this.under.clientWidth - grid.offsetWidth - (grid.nextElementSibling?.textContent ? NOTE_PX : 0);
    this.under.style.paddingLeft = `${Math.max(0, Math.min(from, room))}px`;
  }

  /** What stands on the page for a slot of a round; undefined where nothing does. */
  placeOf(round: Round, slot: Slot) {
    const nth = slot === "closing" ? round.accepted.length : round.accepted.indexOf(slot);
    const own = nth < 0 ? undefined : this.spans[round.start + nth];
    return own && !own.hidden ? own : this.guesses.placeOf(slot);
  }

  /** The last token that is shown. */
  get lastToken() {
    return this.shown ? this.spans[this.shown - 1] : undefined;
  }

  /** Light the tokens, by their index in prompt and text, that this round's draft was copied from, and those before them that were found again. */
  light(range: [number, number] | null, found: [number, number] | null) {
    if (String(range) === String(this.copied)) return;
    const all = [...this.promptSpans, ...this.spans];
    const mark = (at: [number, number] | null, on: boolean) => {
      const part = at ? all.slice(...at) : [];
      for (const span of part) span.classList.toggle("copied", on);
      part[0]?.classList.toggle("copied-first", on);
    };
    for (const span of this.matched ? all.slice(...this.matched) : []) span.classList.remove("matched");
    for (const span of found ? all.slice(...found) : []) span.classList.add("matched");
    mark(this.copied, false);
    mark(range, true);
    this.copied = range;
    this.matched = found;
  }
}

/** Of what stands around a prompt for a chat model. */
function templateMark() {
  const mark = el("span", "template-mark", "…");
  explain(mark, word("The chat template around the prompt is not shown."));
  return mark;
}
