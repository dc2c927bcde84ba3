// The text so far: a span for every token of the run; how many of them are shown depends on the clock.

/** @import { Looks, Position, Run, Slotted } from "../shared/types" */

import { el, followEnd, setText } from "../shared/dom.js";
import { promptPieces, textPieces } from "../shared/labels.js";
import { copiedOf, matchedOf } from "../shared/round.js";

export class Manuscript {
  /** @param {(index: number, slot: Slotted) => void} choose called with the round and the slot of a token that was clicked. */
  constructor(choose) {
    this.choose = choose;
    this.node = el("div", "manuscript");
    this.node.setAttribute("aria-label", "The text so far");
    this.node.setAttribute("role", "group");
    this.node.tabIndex = 0;
    this.prompt = el("span", "prompt");
    this.caret = el("span", "caret", "");
    /** @type {HTMLElement[]} */
    this.spans = [];
    /** @type {HTMLElement[]} */
    this.promptSpans = [];
    this.shown = 0;
    this.fresh = [0, 0];
    /** @type {[number, number] | null} */
    this.copied = null;
    /** @type {[number, number] | null} */
    this.matched = null;
    this.clear();
    new ResizeObserver(() => this.follow()).observe(this.node);
  }

  /** In a box of another size the newest words are in view again, on full lines. */
  follow() {
    if (!this.shown) return;
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
    this.node.replaceChildren(this.prompt, this.caret);
  }

  /**
   * Add spans for the tokens that have come since the last call.
   * @param {Run} run
   * @param {Looks} looks
   */
  fill(run, looks) {
    if (!run.ids.length && !this.promptSpans.length) setText(this.prompt, run.prompt); // until its tokens are known
    if (!run.ids.length || run.ids.length === this.spans.length) return;
    const pieces = textPieces(run.bytes, [...run.promptIds, ...run.ids]).slice(run.promptIds.length);
    this.fillPrompt(run);
    run.rounds.forEach(({ start, accepted, closing }, index) => {
      /** @type {Slotted[]} */
      const slots = closing ? [...accepted, "closing"] : accepted;
      slots.forEach((slot, i) => {
        if (start + i < this.spans.length) return;
        const how = slot === "closing" && closing ? closing.how : "accepted";
        const span = el("span", `token ${how}${i === 0 ? " first" : ""}`, pieces[start + i]);
        span.title = `${looks[how].mark} ${looks[how].word} in round ${index + 1}`;
        span.hidden = true;
        span.addEventListener("click", () => this.choose(index, slot));
        this.spans.push(span);
        this.caret.before(span);
      });
    });
  }

  /**
   * A span for each token of the prompt too: a draft may be copied from there.
   * @param {Run} run
   */
  fillPrompt({ bytes, promptIds, prompt }) {
    if (promptIds.length === this.promptSpans.length) return;
    const { pieces, template } = promptPieces(bytes, promptIds, prompt);
    this.promptSpans = pieces.map((piece) => el("span", "", piece));
    this.prompt.title = template ? "The chat template around the prompt is not shown." : "";
    this.prompt.replaceChildren(...this.promptSpans);
  }

  /**
   * Whether the first token of each round has a bar before it.
   * @param {boolean} on
   */
  markRounds(on) {
    this.node.classList.toggle("with-rounds", on);
  }

  /**
   * @param {Run} run
   * @param {Position} position
   */
  draw(run, position) {
    const round = run.rounds[position.index];
    const { spans } = this;
    const shown = Math.min(position.committed, spans.length);
    for (let i = Math.min(shown, this.shown); i < Math.max(shown, this.shown); i += 1) spans[i].hidden = i >= shown;
    const fresh = round ? [round.start, shown] : [0, 0];
    if (fresh[0] !== this.fresh[0] || fresh[1] !== this.fresh[1]) {
      for (let i = this.fresh[0]; i < this.fresh[1]; i += 1) spans[i].classList.remove("new");
      for (let i = fresh[0]; i < fresh[1]; i += 1) spans[i].classList.add("new");
      this.fresh = fresh;
    }
    this.light(position.landed ? null : copiedOf(round), position.landed ? null : matchedOf(round));
    if (shown !== this.shown) followEnd(this.node, this.caret);
    this.shown = shown;
  }

  /** The last token that is shown. */
  get lastToken() {
    return this.shown ? this.spans[this.shown - 1] : undefined;
  }

  /**
   * Light the tokens, by their index in prompt and text, that this round's draft was copied from, and those before them that were found again.
   * @param {[number, number] | null} range
   * @param {[number, number] | null} found
   */
  light(range, found) {
    if (String(range) === String(this.copied)) return;
    const all = [...this.promptSpans, ...this.spans];
    /** @type {(at: [number, number] | null, on: boolean) => void} */
    const mark = (at, on) => {
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
