// The round on the desk as a chain: a column for each slot, the drafted token above, below it what the target would have written, and
// where the round ends the target's own token in that place.

import { el, isNew, setText } from "../shared/dom.ts";
import type { Drafted, Looks, Round } from "../shared/json_types.ts";
import { tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { isCopy, judgedAsBlock, stagedAt, wallOf } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { drawnHead, filledAt, wayOf } from "../shared/trained_heads.ts";
import { word } from "../shared/words.ts";
import { choiceAt } from "./target_choices.ts";
import { aloneAt, pairAt, TargetSide } from "./target_side.ts";
import { kindOf, TokenSlot } from "./token_slot.ts";

/** In columns narrower than this, in rem, only marks are shown, and their words are left to the legend; in a talk the type is larger. */
const NARROW_REM = { usual: 5, talk: 6.8 };

/** So many signs of a token stand in one line at most, and a column has room for so many at least. */
const [LONGEST, SHORTEST] = [14, 3];
/** The smallest letters of a token, in rem; the width of a sign in letters; and what a column has beside its token, in pixels. */
const [LEAST_REM, SIGN] = [{ usual: 0.8, talk: 1.125 }, 0.62];
const [BESIDE_PX, BESIDE_ON_PHONE_PX, PHONE_PX] = [22, 12, 500];
/** The padding of the board on both sides, and the narrowest column with the gap after it, in pixels: see `.column` in the styles. */
const [PADDING_PX, NARROWEST_PX, NARROWEST_ON_PHONE_PX] = [14, 52, 46];

export class ChainBoard {
  columns: { node: HTMLElement; slot: TokenSlot; pair: TargetSide; closing: TokenSlot; seam: HTMLElement }[] = [];
  node = el("div", { class: "board", role: "group", "aria-label": word("The current round") });
  /** The column that was brought into view last. */
  followed = -1;
  /** How many signs the longest token of each column has. */
  signs: number[] = [];
  width = 0;

  constructor() {
    new ResizeObserver(([entry]) => {
      this.width = entry.contentRect.width;
      this.narrow();
    }).observe(this.node);
  }

  /** Leave the words out where they do not fit, and take the largest letters with which all columns do; where even the smallest are too large, long
   * tokens are broken; where that would not help either, the row scrolls. */
  narrow() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const kind = this.node.closest(".talk") ? "talk" : "usual";
    const width = this.width || this.node.clientWidth - PADDING_PX; // the observer reports after the first paint
    if (width <= 0) return;
    this.node.classList.toggle("narrow", width / this.columns.length < rem * NARROW_REM[kind]);
    const [beside, narrowest] =
      width < PHONE_PX ? [BESIDE_ON_PHONE_PX, NARROWEST_ON_PHONE_PX] : [BESIDE_PX, NARROWEST_PX];
    const room = (width - beside * this.columns.length) / SIGN;
    const fitting = narrowest * this.columns.length <= width;
    const all = (most: number, letter: number) => {
      const shortest = Math.max(SHORTEST, (narrowest - beside) / (SIGN * letter));
      return this.signs.reduce((sum, signs) => sum + Math.max(shortest, Math.min(most, signs)), 0);
    };
    const least = LEAST_REM[kind] * rem;
    let most = LONGEST;
    while (fitting && most > SHORTEST && all(most, least) * least > room) most -= 1;
    let letter = Math.floor(room / Math.max(1, all(most, Number.POSITIVE_INFINITY)));
    while (letter > least && all(most, letter) * letter > room) letter -= 1;
    this.node.style.setProperty("--fits", `${letter}px`);
    this.columns.forEach(({ node }, i) => {
      node.style.setProperty("--signs", String(Math.min(most, this.signs[i] ?? 0)));
    });
  }

  /** A column for each slot and one more: a fixed number, so that nothing jumps. */
  resize(count: number) {
    if (this.columns.length === count) return;
    this.node.style.setProperty("--columns", String(count));
    this.columns = Array.from({ length: count }, (_, index) => {
      const slot = new TokenSlot(index);
      const node = el("div", "column", slot.node);
      const pair = new TargetSide(node, index);
      const closing = new TokenSlot("closing", "closing");
      const seam = el("span", { class: "seam", "aria-hidden": "true" }, "");
      node.append(closing.node, seam);
      return { node, slot, pair, closing, seam };
    });
    this.node.replaceChildren(...this.columns.map((column) => column.node));
    this.narrow();
  }

  /** Room in each column for its tokens, before they come: the guess, and what the target writes there. */
  fit(run: Run, round: Round | undefined) {
    const ids = this.columns.map((_, i) => {
      const own = round && i === round.accepted.length ? round.closing?.token : undefined;
      return [round?.drafted[i]?.token, round?.drafted[i] && choiceAt(run, round, i)?.token, own];
    });
    if (!isNew(this, run.id, ids)) return;
    const signsOf = (id: unknown) => (typeof id === "number" ? [...tokenLabel(run.bytes, id).text].length : 0);
    this.signs = ids.map((tokens) => Math.max(...tokens.map(signsOf)));
    this.narrow();
  }

  draw(run: Run, round: Round | undefined, position: Position, { looks, covered }: { looks: Looks; covered: boolean }) {
    this.resize((run.k || 5) + 1);
    this.fit(run, round);
    const tab = round ? -1 : 0; // empty slots cannot be reached, and the keyboard must be able to scroll to them
    if (this.node.tabIndex !== tab) this.node.tabIndex = tab;
    const wall = round ? wallOf(round) : -1;
    const walled = round !== undefined && stagedAt(round, position) === "walled";
    if (round) this.node.style.setProperty("--progress", String(position.sweep));
    const own = round && position.landed ? round.closing : null;
    const ending = own?.how ?? "";
    const kind = drawnHead(run.drafterText);
    const filled = round && position.phase === "draft" ? filledAt(run.drafterText, position.fraction) : null;
    if (filled !== null) this.node.style.setProperty("--filled", String(filled));
    this.columns.forEach(({ node, slot, pair, closing, seam }, index) => {
      const drafted = round?.drafted[index];
      const state = round ? kindOf(run.drafterText, round, position, index) : "idle";
      const label = drafted && index < position.typed ? tokenLabel(run.bytes, drafted.token) : null;
      slot.draw(label, state, looks[state] ? state : "", looks);
      if (round && drafted)
        pair.draw(run, {
          ...pairAt(run, round, position, index, covered),
          ...(isCopy(round) ? null : this.way(run, position, index, drafted)),
        });
      else pair.draw(run, round && index === round.drafted.length ? aloneAt(run, round, position, covered) : null);
      node.classList.toggle("wall", index === wall && walled);
      node.classList.toggle("checking", Boolean(drafted) && position.phase === "verify");
      node.classList.toggle("filling", Boolean(drafted) && filled !== null);
      const sign = drafted && index ? kind?.seam : ""; // between a slot and the one before it
      setText(seam, sign ?? "");
      seam.hidden = !sign;
      seam.classList.toggle("lit", label !== null);
      const ends = own && index === round?.accepted.length;
      closing.draw(
        ends ? tokenLabel(run.bytes, own.token) : null,
        ends ? `on ${ending}` : "off",
        ends ? ending : "",
        looks,
      );
    });
    if (!round) return;
    const block = judgedAsBlock(round);
    this.node.classList.toggle("block", block);
    const judging = block ? position.typed - position.judged : position.judged || position.typed;
    this.follow(Math.min(position.landed ? round.accepted.length + 1 : judging, this.columns.length) - 1);
  }

  /** What stands under a slot while a head drafts: what its guess sees. */
  way(run: Run, { phase, typed }: Position, index: number, { confidence }: Drafted) {
    const started = index <= typed || drawnHead(run.drafterText)?.order === "at once";
    return phase === "draft" && started ? wayOf(run.drafterText, index, confidence) : null;
  }

  /** Where the columns do not fit: scroll to the one that the round has come to. */
  follow(index: number) {
    if (index === this.followed || !this.columns.length) return;
    this.followed = index;
    const { node } = this;
    const column = this.columns[Math.max(0, index)].node;
    const [from, to] = [column.offsetLeft, column.offsetLeft + column.offsetWidth];
    if (from < node.scrollLeft || to > node.scrollLeft + node.clientWidth)
      node.scrollLeft = Math.max(0, to - node.clientWidth / 2);
  }
}
