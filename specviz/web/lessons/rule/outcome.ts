// What came out: the share of each token among all that were drawn, against p and against where the rule leads.

import { place, shape } from "../../shared/dom.ts";
import { fixed, word } from "../../shared/words.ts";
import { Picture, type PictureSize, placeBar, showPart } from "../common/drawing.ts";

/** `longRun` is null where that is p. */
type OutcomeView = {
  tokens: string[];
  p: number[];
  longRun: number[] | null;
  shares: number[];
  total: number;
  latest: number;
};

export class Outcome {
  picture = new Picture("outcome-picture", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  ground = shape("line", "axis");
  bars = shape("g");
  columns: { frame: SVGRectElement; came: SVGRectElement; goal: SVGPathElement; value: SVGTextElement }[] = [];
  shown: OutcomeView | null = null;

  constructor() {
    this.picture.svg.append(this.bars, this.ground);
  }

  show(came: OutcomeView) {
    this.shown = came;
    const { tokens, p, longRun, shares, total } = came;
    if (this.columns.length !== tokens.length) {
      this.columns = tokens.map(() => ({
        frame: shape("rect", "frame p"),
        came: shape("rect", "came-out"),
        goal: shape("path", "goal"),
        value: shape("text", "bar-value came"),
      }));
      this.bars.replaceChildren(
        ...this.columns.flatMap(({ came: out, frame, goal, value }) => [out, frame, goal, value]),
      );
    }
    const words = (i: number): string => {
      const given = { share: fixed(shares[i], 3), p: fixed(p[i], 3), long: longRun ? fixed(longRun[i], 3) : "" };
      return longRun ? word("{share} against {p}, in the long run {long}", given) : word("{share} against {p}", given);
    };
    const rows = tokens.map((token, i) => `“${token}” ${words(i)}`).join("; ");
    this.picture.name(
      total ? word("Shares of {total} tokens drawn: {rows}", { total, rows }) : word("No token has been drawn yet"),
    );
    this.picture.redraw();
  }

  draw({ width, height, em }: PictureSize) {
    if (!this.shown) return;
    const { p, longRun, shares, total, latest } = this.shown;
    const [upper, lower] = [1.5 * em, height - 1];
    const column = width / this.columns.length;
    const wide = Math.min(0.6 * column, 6 * em);
    const most = Math.max(...p, ...(longRun ?? []), ...(total >= 100 ? shares : []));
    const y = (value: number): number => lower - Math.min(1, value / most) * (lower - upper);
    place(this.ground, { x1: 0, x2: width, y1: lower, y2: lower });
    this.columns.forEach(({ frame, came, goal, value }, i) => {
      const [x, middle] = [(i + 0.5) * column - wide / 2, (i + 0.5) * column];
      placeBar(frame, x, wide, y(p[i]), lower);
      placeBar(came, x + 0.12 * wide, 0.76 * wide, y(shares[i]), lower);
      came.classList.toggle("latest", i === latest && total > 0);
      showPart(goal, longRun !== null);
      const [at, half] = [y(longRun?.[i] ?? 0), 0.36 * em];
      place(goal, {
        d: `M${middle} ${at - half}L${middle + half} ${at}L${middle} ${at + half}L${middle - half} ${at}ZM${x} ${at}H${middle - half}M${middle + half} ${at}H${x + wide}`,
      });
      const text = total ? fixed(shares[i], total < 1000 ? 2 : 3) : "";
      if (value.textContent !== text) value.textContent = text;
      place(value, { x: middle, y: Math.min(y(p[i]), y(shares[i]), longRun ? at - half : Infinity) - 0.35 * em });
    });
  }
}
