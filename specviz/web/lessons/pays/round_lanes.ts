// One round to scale: what its tokens cost one by one, and what they cost with a draft. Lengths are passes of the target.

import { fixed, several, word } from "../../shared/words.ts";
import { Picture, type PictureSize } from "../common/drawing.ts";
import { bar, join, text } from "../common/marks.ts";
import { costOfRound, LONGEST, tokensPerPass } from "../common/theory.ts";
import type { Letters } from "../lesson_types.ts";

export class RoundLanes {
  picture = new Picture("round-lanes", (size) => this.draw(size));
  saved = this.picture.hatching("saved");
  lost = this.picture.hatching("rejected");
  letters: Letters | null = null;
  words = { plain: "", round: "", gap: "" };

  show(letters: Letters) {
    this.letters = letters;
    const [tokens, cost] = [tokensPerPass(letters.alpha, letters.k), costOfRound(letters)];
    this.words = {
      plain: word("Plain: {tokens} tokens, one pass each", { tokens: fixed(tokens, 2) }),
      round: several(
        letters.k,
        "With a draft: {n} draft + 1 check = {cost} passes",
        "With a draft: {n} drafts + 1 check = {cost} passes",
        { cost: fixed(cost, 2) },
      ),
      gap:
        cost < tokens
          ? word("✓ saved: {passes}", { passes: fixed(tokens - cost, 2) })
          : word("✕ lost: {passes}", { passes: fixed(cost - tokens, 2) }),
    };
    this.picture.name(`${this.words.plain}. ${this.words.round}. ${this.words.gap} passes.`);
    this.picture.redraw();
  }

  draw({ width, em }: PictureSize) {
    if (!this.letters) return;
    const { alpha, c, v, k } = this.letters;
    const [tokens, cost] = [tokensPerPass(alpha, k), costOfRound(this.letters)];
    const unit = (width - 2) / Math.max(tokens, cost);
    const [tall, upper, lower] = [2 * em, 1.4 * em, 5 * em];
    const saved = cost < tokens;
    const kind = saved ? "saved" : "lost";
    const [from, to] = [1 + Math.min(cost, tokens) * unit, 1 + Math.max(cost, tokens) * unit];
    const top = saved ? lower : upper;
    const fits = to - from > 7 * em;
    join(this.picture.parts, [
      to - from > 3 && bar(`lane-gap ${kind}`, from, to - from, top, top + tall, this[kind]),
      ...Array.from({ length: LONGEST + 1 }, (_, i) => {
        const part = Math.min(1, tokens - i);
        return part > 0 && bar("pass target", 1 + i * unit, part * unit - 2, upper, upper + tall);
      }),
      ...Array.from({ length: LONGEST }, (_, i) => {
        const wide = Math.max(1, c * unit - 1.5);
        return i < k && c > 0 && bar("pass draft", 1 + i * c * unit, wide, lower, lower + tall);
      }),
      bar("pass target check", 1 + k * c * unit, v * unit - 2, lower, lower + tall),
      text("lane-name", this.words.plain, 1, upper - 0.45 * em),
      text("lane-name", this.words.round, 1, lower - 0.45 * em),
      fits && text(`gap-words ${kind}`, this.words.gap, (from + to) / 2, top + tall / 2 + 0.35 * em),
    ]);
  }
}
