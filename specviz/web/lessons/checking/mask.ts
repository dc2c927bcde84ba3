// The causal mask as a triangle that fills: every token reads itself and the tokens before it, so one pass gives an answer at each of them.

import { english, word } from "../../shared/words.ts";
import { clipped, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf, Replay, Sentence } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";

/** A column so narrow, in letters, has no name: the rows have the same names. */
const NAMED = 5;
/** Seconds of the viewer until all is read, and until the answers are there. */
const [READ_S, ANSWERED_S] = [3.2, 4];

/** `clock`: seconds of the viewer. */
type MaskView = { tokens: string[]; clock: number };

class MaskPicture extends Picture<MaskView> {
  draw({ tokens, clock }: MaskView, { width, height, em }: PictureSize) {
    const count = Math.max(0, tokens.length - 1);
    const label = Math.min(8 * em, 0.22 * width);
    const [left, right, upper] = [label + 0.6 * em, width - label - 2.2 * em, 2 * em];
    const [wide, tall] = [(right - left) / count, Math.min(3 * em, (height - upper) / count)];
    const room = (space: number) => Math.floor((space / em) * 1.6);
    const read = (clock / READ_S) * count;
    const columns = tokens.slice(0, count).map((token, j) => {
      const named = room(wide) >= NAMED;
      return named && mark.text("mask-token column", clipped(token, room(wide)), left + (j + 0.5) * wide, 1.2 * em);
    });
    const rows = tokens.slice(0, count).map((token, i) => {
      const middle = upper + (i + 0.5) * tall + 0.35 * em;
      const cells = tokens.slice(0, count).flatMap((_, j) => {
        const [x, y] = [left + j * wide, upper + i * tall];
        const share = j > i ? 0 : Math.min(1, Math.max(0, read - j));
        return [
          mark.bar(j > i ? "mask-cell unseen-cell" : "mask-cell", x, wide - 3, y, y + tall - 3),
          share > 0 && mark.bar("mask-read", x, (wide - 3) * share, y, y + tall - 3),
        ];
      });
      return [
        mark.text("mask-token row", clipped(token, room(label)), label, middle),
        ...cells,
        mark.text("stream-arrow", "→", right + 0.9 * em, middle),
        clock >= READ_S && mark.text("mask-token out", clipped(tokens[i + 1], room(label)), right + 2 * em, middle),
      ];
    });
    return [...columns, ...rows.flat()];
  }
}

export const mountMask = mountOf(english("Which tokens a token sees in a pass"), (body) => {
  const words = word(
    "Each token sees itself and the tokens before it, and none after it. So all rows are computed at once.",
  );
  const [sentence, picture] = [new Sentence(), new MaskPicture("mask-picture")];
  let tokens: string[] = [];
  const replay = new Replay(body, (clock) => {
    picture.present({ tokens, clock }, words);
    return clock >= ANSWERED_S;
  });
  sentence.say([words]);
  body.classList.add("measured-body");
  body.append(sentence.node, picture.node, replay.node);
  return {
    show: (data) => {
      tokens = data.tokens;
      replay.begin(ANSWERED_S);
    },
  };
});
