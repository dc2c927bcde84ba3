// One round to scale: what its tokens cost one by one, and what they cost with a draft. Lengths are passes of the target.

import { fixed, several, word } from "../../shared/words.ts";
import { Picture, type PictureSize } from "../common/drawing.ts";
import { bar, join, text } from "../common/marks.ts";
import { costOfRound, LONGEST, tokensPerPass } from "../common/theory.ts";
import type { Letters } from "../lesson_types.ts";

/** `tokens` and `cost`: of a round, in passes of the target; the words of both lanes and of what lies between their ends. */
type LanesView = Letters & { tokens: number; cost: number; plain: string; round: string; gap: string };

export class RoundLanes extends Picture<LanesView> {
  saved = this.hatching("saved");
  lost = this.hatching("rejected");

  show(letters: Letters) {
    const [tokens, cost] = [tokensPerPass(letters.alpha, letters.k), costOfRound(letters)];
    const plain = word("Plain: {tokens} tokens, one pass each", { tokens: fixed(tokens, 2) });
    const round = several(letters.k, "With a draft: {n} [draft|drafts] + 1 check = {cost} passes", {
      cost: fixed(cost, 2),
    });
    const gap =
      cost < tokens
        ? word("✓ saved: {passes}", { passes: fixed(tokens - cost, 2) })
        : word("✕ lost: {passes}", { passes: fixed(cost - tokens, 2) });
    this.present({ ...letters, tokens, cost, plain, round, gap }, `${plain}. ${round}. ${gap} passes.`);
  }

  draw({ c, v, k, tokens, cost, plain, round, gap }: LanesView, { width, em }: PictureSize) {
    const unit = (width - 2) / Math.max(tokens, cost);
    const [tall, upper, lower] = [2 * em, 1.4 * em, 5 * em];
    const saved = cost < tokens;
    const kind = saved ? "saved" : "lost";
    const [from, to] = [1 + Math.min(cost, tokens) * unit, 1 + Math.max(cost, tokens) * unit];
    const top = saved ? lower : upper;
    const fits = to - from > 7 * em;
    join(this.parts, [
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
      text("lane-name", plain, 1, upper - 0.45 * em),
      text("lane-name", round, 1, lower - 0.45 * em),
      fits && text(`gap-words ${kind}`, gap, (from + to) / 2, top + tall / 2 + 0.35 * em),
    ]);
  }
}
