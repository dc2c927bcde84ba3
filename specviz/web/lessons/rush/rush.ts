// Chapter "Rush hour": guests fill a batch, the spare arithmetic vanishes and the speedup sinks; routing and switching off bring it back. On one side
// the guests with the tokens that a pass reads for each, on the other the speedup at every number of guests.

import { scaleLinear, scaleLog } from "d3-scale";
import { percent } from "../../shared/labels.ts";
import { english, several, word } from "../../shared/words.ts";
import { lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { mountOf, Replay, Sentence, textOf } from "../common/explorable.ts";
import * as mark from "../common/marks.ts";
import { Dragger, legendOf } from "../common/widgets.ts";
import type { RushMode } from "../lesson_types.ts";
import * as rush from "./rush_scene.ts";

const { DRAFTED, GUESTS, MOST } = rush;
const [ACROSS, DOWN] = [4, 16];
/** The speedups that the chart has room for. */
const SPEEDS: [number, number] = [0, 2.5];
/** Narrower than this, in em, the chart stands under the batch. */
const SIDE_BY_SIDE = 34;

type Box = { left: number; right: number; upper: number; lower: number };

type RushView = { table: rush.RushTable; scene: rush.RushScene };

class RushPicture extends Picture<RushView> {
  draw(view: RushView, { width, height, em }: PictureSize) {
    const beside = width > SIDE_BY_SIDE * em;
    const half = beside ? 0.46 * width : width;
    const middle = beside ? height : 0.5 * height;
    const left = (beside ? half + 2 * em : 0) + 2.4 * em;
    const chart = { left, right: width - 1 * em, upper: (beside ? 0 : middle) + 1.8 * em, lower: height - 2.7 * em };
    return [
      ...this.gauge(view, half, em),
      ...this.batch(view, { left: 0, right: half, upper: 3.4 * em, lower: middle - (beside ? 0 : 1) * em }),
      ...this.chart(view, chart, em),
    ];
  }

  /** How much arithmetic is spare. */
  gauge({ table, scene: { guests, before, drafting, share } }: RushView, width: number, em: number) {
    const [from, to] = [table.spareOf(before || 1, "all"), table.spareOf(guests, drafting)];
    const spare = from + (to - from) * share;
    return [
      mark.text("rush-name", word("Spare arithmetic: {share}", { share: percent(spare) }), 0, em),
      mark.bar("rush-busy", 0, width, 1.5 * em, 2.6 * em),
      mark.bar("rush-spare", 0, width * spare, 1.5 * em, 2.6 * em),
    ];
  }

  /** Every guest as a strip: the target's own token, the drafted tokens that are accepted on average, and those that are not. */
  batch({ table, scene: { guests, before, drafting, share } }: RushView, { left, right, upper, lower }: Box) {
    const [wide, tall] = [(right - left) / ACROSS, (lower - upper) / DOWN];
    const unit = (wide * 0.9) / (DRAFTED + 1);
    return Array.from({ length: MOST }, (_, i): mark.Mark[] => {
      if (i >= guests) return [false, false, false];
      const [x, y] = [left + (i % ACROSS) * wide, upper + Math.floor(i / ACROSS) * tall];
      const low = y + tall * 0.72;
      const easy = i % 2 === 0;
      const here = i < before ? 1 : share;
      const keeps = drafting === "all" || (drafting === "some" && easy);
      const drafts = keeps ? here : 1 - share;
      const accepted = (rush.tokensFor(easy ? table.easy : table.hard) - 1) * drafts * unit;
      return [
        mark.bar("rush-own", x, unit * here - 1, y, low),
        mark.bar("rush-accepted", x + unit, accepted, y, low),
        mark.bar("rush-thrown", x + unit + accepted, DRAFTED * unit * drafts - accepted, y, low),
      ];
    }).flat();
  }

  /** The speedup, up to the guests who are there; where drafting changed, the way up from it. */
  chart({ table, scene: { guests, drafting, share } }: RushView, box: Box, em: number) {
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
    const side = `${before ? "before" : "after"} ${state}`;
    const label = at + (state === "slower" || drafting === "none" ? 1.9 : -0.7) * em; // the curve comes from the upper left
    return [
      mark.bar("rush-slow", left, right - left, y(1), lower),
      mark.line("even-line", left, y(1), right, y(1)),
      mark.text("slow-words", word("slower than plain decoding"), right, lower - 0.5 * em),
      mark.path("cost-line", lineThrough(all)),
      mark.line("rush-way", end, fallen, end, at),
      ...GUESTS.map((_, i) => i < all.length && mark.circle("cost-point", ...all[i], 0.28 * em)),
      mark.circle("speed-here", end, at, 0.62 * em),
      mark.text(`speed-label ${side}`, rush.speedWords(now), end + (before ? -1 : 1) * em, label),
      mark.path("axis frame-line", `M${left} ${upper}V${lower}H${right}`),
      mark.text("tick axis-name", word("guests in one batch"), (left + right) / 2, lower + 2.4 * em),
      mark.text("tick upright-name", word("speedup"), left - 2.2 * em, upper - 0.7 * em),
      ...mark.ticksAcross(GUESTS, x, { lower, em }),
      ...mark.ticksUpright(y.ticks(5), y, { left, em }),
    ];
  }
}

export const mountRush = mountOf(english("Rush hour on a server"), (body) => {
  const [sentence, picture] = [new Sentence(), new RushPicture("rush-picture")];
  const guestRange = { min: 0, max: GUESTS.length - 1, step: 1 };
  const dragger = new Dragger(word("guests in one batch"), guestRange, (index) =>
    replay.seek(rush.clockOfArrival(index), false),
  );
  let mode: RushMode = "one guest";
  let table: rush.RushTable | null = null;
  let speeds = "";
  const replay = new Replay(body, (clock) => {
    if (!table) return true;
    const scene = rush.rushSceneAt(mode, clock);
    const parts = rush.rushParts(table, scene);
    sentence.say(parts);
    dragger.show(GUESTS.indexOf(scene.guests), several(scene.guests, "{n} [guest|guests]"));
    picture.present({ table, scene }, `${textOf(parts)} ${speeds}`);
    return scene.ended;
  });
  const legend = legendOf([
    ["target", "■", word("the target's own token")],
    ["accepted", "■", word("drafted and accepted, on average")],
    ["rejected", "■", word("drafted and paid for nothing")],
  ]);
  body.classList.add("measured-body");
  body.append(sentence.node, picture.node, legend, dragger.node, replay.node);
  return {
    show: (data) => {
      const recorded = new rush.RushTable(data.costs, data.dots);
      table = recorded;
      mode = data.picture as RushMode;
      dragger.node.hidden = mode !== "rush hour";
      replay.node.hidden = mode === "one guest";
      const rows = GUESTS.map((guests) => `${guests}: ${rush.speedWords(recorded.costOf(guests, "all").speedup)}`);
      speeds = `${word("The speedup at every number of guests")}: ${rows.join(", ")}`;
      replay.begin(rush.rushEnd(mode));
    },
    note: () => (table ? rush.rushNote(table) : ""),
  };
});
