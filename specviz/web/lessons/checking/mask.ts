// The causal mask as a triangle that fills: every token reads itself and the tokens before it, so one pass gives an answer at each of them.

import { english, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf } from "../common/explorable_frame.ts";
import { bar, join, type Mark, text } from "../common/marks.ts";
import { Sentence } from "../common/measured_parts.ts";
import { Replay } from "../common/replay.ts";
import type { ExplorableData } from "../lesson_types.ts";

/** A column so narrow, in letters, has no name: the rows have the same names. */
const NAMED = 5;
/** Seconds of the viewer until all is read, and until the answers are there. */
const [READ_S, ANSWERED_S] = [3.2, 4];

/** `clock`: seconds of the viewer. */
type MaskView = { tokens: string[]; clock: number };

class MaskPicture extends Picture<MaskView> {
  draw({ tokens, clock }: MaskView, { width, height, em }: PictureSize) {
    const count = tokens.length - 1;
    if (count < 1) return;
    const label = Math.min(8 * em, 0.22 * width);
    const [left, right, upper] = [label + 0.6 * em, width - label - 2.2 * em, 2 * em];
    const [wide, tall] = [(right - left) / count, Math.min(3 * em, (height - upper) / count)];
    const room = (space: number) => Math.floor((space / em) * 1.6);
    const read = (clock / READ_S) * count;
    const rows = Array.from({ length: count }, (_, i) => {
      const middle = upper + (i + 0.5) * tall + 0.35 * em;
      const cells = Array.from({ length: count }, (_, j): Mark[] => {
        const [x, y] = [left + j * wide, upper + i * tall];
        const share = j > i ? 0 : Math.min(1, Math.max(0, read - j));
        return [
          bar(j > i ? "mask-cell unseen-cell" : "mask-cell", x, wide - 3, y, y + tall - 3),
          share > 0 && bar("mask-read", x, (wide - 3) * share, y, y + tall - 3),
        ];
      });
      return [
        text("mask-token row", clipped(tokens[i], room(label)), label, middle),
        ...cells.flat(),
        text("stream-arrow", "→", right + 0.9 * em, middle),
        clock >= READ_S && text("mask-token out", clipped(tokens[i + 1], room(label)), right + 2 * em, middle),
      ];
    });
    join(this.parts, [
      ...Array.from({ length: count }, (_, j) => {
        const name = clipped(tokens[j], room(wide));
        return room(wide) >= NAMED && text("mask-token column", name, left + (j + 0.5) * wide, 1.2 * em);
      }),
      ...rows.flat(),
    ]);
  }
}

class Mask {
  sentence = new Sentence("measured-headline");
  picture = new MaskPicture("mask-picture");
  replay: Replay;
  tokens: string[] = [];

  constructor(body: HTMLElement) {
    body.classList.add("measured-body");
    this.replay = new Replay(body, (clock) => this.draw(clock));
    body.append(this.sentence.node, this.picture.node, this.replay.node);
  }

  show({ tokens }: ExplorableData) {
    this.tokens = tokens;
    this.replay.begin(ANSWERED_S);
  }

  draw(clock: number) {
    const words = word(
      "Each token sees itself and the tokens before it, and none after it. So all rows are computed at once.",
    );
    this.sentence.say([words]);
    this.picture.present({ tokens: this.tokens, clock }, words);
    return clock >= ANSWERED_S;
  }
}

export const mountMask = mountOf(english("Which tokens a token sees in a pass"), (body) => new Mask(body));
