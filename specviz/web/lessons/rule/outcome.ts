// What came out: the share of each token among all that were drawn, against p and against where the rule leads.

import { fixed, word } from "../../shared/words.ts";
import { Picture, type PictureSize } from "../common/drawing.ts";
import * as mark from "../common/marks.ts";

/** `longRun` is null where that is p. */
type OutcomeView = {
  tokens: string[];
  p: number[];
  longRun: number[] | null;
  shares: number[];
  total: number;
  latest: number;
};

export class Outcome extends Picture<OutcomeView> {
  show(came: OutcomeView) {
    const { tokens, p, longRun, shares, total } = came;
    const rows = tokens.map((token, i) => {
      const given = { share: fixed(shares[i], 3), p: fixed(p[i], 3), long: longRun ? fixed(longRun[i], 3) : "" };
      const against = word("{share} against {p}", given);
      return `“${token}” ${longRun ? word("{share} against {p}, in the long run {long}", given) : against}`;
    });
    const drawn = word("Shares of {total} tokens drawn: {rows}", { total, rows: rows.join("; ") });
    this.present(came, total ? drawn : word("No token has been drawn yet"));
  }

  draw({ p, longRun, shares, total, latest }: OutcomeView, { width, height, em }: PictureSize) {
    const [upper, lower] = [1.5 * em, height - 1];
    const column = width / p.length;
    const wide = Math.min(0.6 * column, 6 * em);
    const most = Math.max(...p, ...(longRun ?? []), ...(total >= 100 ? shares : []));
    const y = (value: number): number => lower - Math.min(1, value / most) * (lower - upper);
    const columns = p.flatMap((share, i) => {
      const [middle, at, half] = [(i + 0.5) * column, y(longRun?.[i] ?? 0), 0.36 * em];
      const x = middle - wide / 2;
      const goal = `M${middle} ${at - half}L${middle + half} ${at}L${middle} ${at + half}L${middle - half} ${at}ZM${x} ${at}H${middle - half}M${middle + half} ${at}H${x + wide}`;
      const above = Math.min(y(share), y(shares[i]), longRun ? at - half : Infinity) - 0.35 * em;
      return [
        mark.bar(
          `came-out${i === latest && total ? " latest" : ""}`,
          x + 0.12 * wide,
          0.76 * wide,
          y(shares[i]),
          lower,
        ),
        mark.bar("frame p", x, wide, y(share), lower),
        longRun !== null && mark.path("goal", goal),
        mark.text("bar-value came", total ? fixed(shares[i], total < 1000 ? 2 : 3) : "", middle, above),
      ];
    });
    return [...columns, mark.line("axis", 0, lower, width, lower)];
  }
}
