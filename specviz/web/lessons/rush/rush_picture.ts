// A batch that fills: on one side the guests with the tokens that a pass reads for each, on the other the speedup at every number of guests.

import { scaleLinear, scaleLog } from "d3-scale";
import { word } from "../../shared/words.ts";
import { lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { bar, circle, join, line, type Mark, path, text, ticksAcross, ticksUpright } from "../common/marks.ts";
import { DRAFTED, GUESTS, type RushTable } from "./rush_costs.ts";
import { spareWords, speedWords } from "./rush_text.ts";
import type { RushScene } from "./rush_timeline.ts";

const [MOST, ACROSS, DOWN] = [64, 4, 16];
/** The speedups that the chart has room for. */
const SPEEDS: [number, number] = [0, 2.5];
/** Narrower than this, in em, the chart stands under the batch. */
const SIDE_BY_SIDE = 34;

type Box = { left: number; right: number; upper: number; lower: number };

type RushView = { table: RushTable; scene: RushScene };

export class RushPicture extends Picture<RushView> {
  draw({ table, scene }: RushView, { width, height, em }: PictureSize) {
    const beside = width > SIDE_BY_SIDE * em;
    const half = beside ? 0.46 * width : width;
    const middle = beside ? height : 0.5 * height;
    const batch = { left: 0, right: half, upper: 3.4 * em, lower: middle - (beside ? 0 : 1) * em };
    const left = (beside ? half + 2 * em : 0) + 2.4 * em;
    const chart = { left, right: width - 1 * em, upper: (beside ? 0 : middle) + 1.8 * em, lower: height - 2.7 * em };
    join(this.parts, [
      ...this.gauge(table, scene, half, em),
      ...this.batch(table, scene, batch),
      ...this.chart(table, scene, chart, em),
    ]);
  }

  /** How much arithmetic is spare. */
  gauge(table: RushTable, { guests, before, share }: RushScene, width: number, em: number): Mark[] {
    const [from, to] = [table.spareOf(before || 1), table.spareOf(guests)];
    const spare = from + (to - from) * share;
    return [
      text("rush-name", spareWords(spare), 0, em),
      bar("rush-busy", 0, width, 1.5 * em, 2.6 * em),
      bar("rush-spare", 0, width * spare, 1.5 * em, 2.6 * em),
    ];
  }

  /** Every guest as a strip: the target's own token, the drafted tokens that are accepted on average, and those that are not. */
  batch(table: RushTable, { guests, before, drafting, share }: RushScene, { left, right, upper, lower }: Box): Mark[] {
    const [wide, tall] = [(right - left) / ACROSS, (lower - upper) / DOWN];
    const unit = (wide * 0.9) / (DRAFTED + 1);
    return Array.from({ length: MOST }, (_, i) => {
      if (i >= guests) return [false, false, false] as Mark[];
      const [x, y] = [left + (i % ACROSS) * wide, upper + Math.floor(i / ACROSS) * tall];
      const low = y + tall * 0.72;
      const easy = i % 2 === 0;
      const here = i < before ? 1 : share;
      const keeps = drafting === "all" || (drafting === "some" && easy);
      const drafts = keeps ? here : 1 - share;
      const accepted = (table.tokensOf(easy ? table.easy : table.hard) - 1) * drafts * unit;
      return [
        bar("rush-own", x, unit * here - 1, y, low),
        bar("rush-accepted", x + unit, accepted, y, low),
        bar("rush-thrown", x + unit + accepted, DRAFTED * unit * drafts - accepted, y, low),
      ];
    }).flat();
  }

  /** The speedup, up to the guests who are there; where drafting changed, the way up from it. */
  chart(table: RushTable, { guests, drafting, share }: RushScene, box: Box, em: number): Mark[] {
    const { left, right, upper, lower } = box;
    const x = scaleLog([1, MOST], [left + 0.8 * em, right]);
    const y = scaleLinear(SPEEDS, [lower, upper]);
    const there = GUESTS.filter((count) => count <= guests);
    const all = there.map((count): [number, number] => [x(count), y(table.costOf(count, "all").speedup)]);
    const [end, fallen] = all[all.length - 1];
    const now = table.costOf(guests, drafting).speedup;
    const at = drafting === "all" ? fallen : fallen + (y(now) - fallen) * share;
    const before = end > right - 5 * em;
    const state = now >= 1 ? "faster" : "slower";
    return [
      bar("rush-slow", left, right - left, y(1), lower),
      line("even-line", left, y(1), right, y(1)),
      text("slow-words", word("slower than plain decoding"), right, lower - 0.5 * em),
      path("cost-line", lineThrough(all)),
      line("rush-way", end, fallen, end, at),
      ...GUESTS.map((_, i) => {
        const [cx, cy] = all[i] ?? [0, 0];
        return i < all.length && circle("cost-point", cx, cy, 0.28 * em);
      }),
      circle("speed-here", end, at, 0.62 * em),
      text(
        `speed-label ${before ? "before" : "after"} ${state}`,
        speedWords(now),
        end + (before ? -1 : 1) * em,
        at + (state === "slower" ? 1.9 : -0.7) * em,
      ),
      path("axis frame-line", `M${left} ${upper}V${lower}H${right}`),
      text("tick axis-name", word("guests in one batch"), (left + right) / 2, lower + 2.4 * em),
      text("tick upright-name", word("speedup"), left - 2.2 * em, upper - 0.7 * em),
      ...ticksAcross(GUESTS, x, { lower, em }),
      ...ticksUpright([0, 0.5, 1, 1.5, 2, 2.5], y, { left, em }),
    ];
  }
}
