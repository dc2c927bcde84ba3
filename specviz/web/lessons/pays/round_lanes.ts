// One round to scale: what its tokens cost one by one, and what they cost with a draft. Lengths are passes of the target.

import { place, shape } from "../../shared/dom.ts";
import { fixed, several, word } from "../../shared/words.ts";
import { Picture, type PictureSize, placeBar, showPart } from "../common/drawing.ts";
import { costOfRound, LONGEST, tokensPerPass } from "../common/theory.ts";
import type { Letters } from "../lesson_types.ts";

export class RoundLanes {
  picture = new Picture("round-lanes", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  alone = Array.from({ length: LONGEST + 1 }, () => shape("rect", "pass target"));
  drafts = Array.from({ length: LONGEST }, () => shape("rect", "pass draft"));
  check = shape("rect", "pass target check");
  gap = shape("rect", "lane-gap");
  names = [shape("text", "lane-name"), shape("text", "lane-name")];
  gapWords = shape("text", "gap-words");
  saved: string = this.picture.hatching("saved");
  lost: string = this.picture.hatching("rejected");
  letters: Letters | null = null;

  words?: { plain: string; round: string; gap: string };

  constructor() {
    this.picture.svg.append(this.gap, ...this.alone, ...this.drafts, this.check, ...this.names, this.gapWords);
  }

  show(letters: Letters) {
    this.letters = letters;
    const [tokens, cost] = [tokensPerPass(letters.alpha, letters.k), costOfRound(letters)];
    this.words = {
      plain: word("Plain: {tokens} tokens, one pass each", { tokens: fixed(tokens, 2) }),
      round: several(
        letters.k,
        "With a draft: {n} draft + 1 check = {cost} passes",
        "With a draft: {n} drafts + 1 check = {cost} passes",
        {
          cost: fixed(cost, 2),
        },
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
    if (!this.letters || !this.words) return;
    const { alpha, c, v, k } = this.letters;
    const [tokens, cost] = [tokensPerPass(alpha, k), costOfRound(this.letters)];
    const unit = (width - 2) / Math.max(tokens, cost);
    const [tall, upper, lower] = [2 * em, 1.4 * em, 5 * em];
    this.alone.forEach((pass, i) => {
      const part = Math.min(1, Math.max(0, tokens - i));
      placeBar(pass, 1 + i * unit, Math.max(0, part * unit - 2), upper, upper + tall);
      showPart(pass, part > 0);
    });
    this.drafts.forEach((pass, i) => {
      placeBar(pass, 1 + i * c * unit, Math.max(1, c * unit - 1.5), lower, lower + tall);
      showPart(pass, i < k && c > 0);
    });
    placeBar(this.check, 1 + k * c * unit, v * unit - 2, lower, lower + tall);
    const saved = cost < tokens;
    const [from, to] = [1 + Math.min(cost, tokens) * unit, 1 + Math.max(cost, tokens) * unit];
    const top = saved ? lower : upper;
    placeBar(this.gap, from, to - from, top, top + tall);
    place(this.gap, { fill: saved ? this.saved : this.lost, class: `lane-gap ${saved ? "saved" : "lost"}` });
    const texts = [this.words.plain, this.words.round];
    this.names.forEach((name, i) => {
      if (name.textContent !== texts[i]) name.textContent = texts[i];
      place(name, { x: 1, y: (i ? lower : upper) - 0.45 * em });
    });
    showPart(this.gap, to - from > 3);
    const fits = to - from > 7 * em;
    showPart(this.gapWords, fits);
    if (this.gapWords.textContent !== this.words.gap) this.gapWords.textContent = this.words.gap;
    place(this.gapWords, {
      x: (from + to) / 2,
      y: top + tall / 2 + 0.35 * em,
      class: `gap-words ${saved ? "saved" : "lost"}`,
    });
  }
}
