// The expected speedup at every draft length, with recorded runs on it. Below 1 it is slower than plain decoding, and drawn so.

import { scaleLinear } from "d3-scale";
import { fixed, word } from "../../shared/words.ts";
import { lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import * as mark from "../common/marks.ts";
import { bestLength, expectedSpeedup, LONGEST } from "../common/theory.ts";
import type { Letters, RunDot } from "../lesson_types.ts";

const LENGTHS = Array.from({ length: LONGEST + 1 }, (_, k) => k);

/** What stands for a recorded run. */
export const RUN_MARK = "●";

type CurveView = { letters: Letters; dots: RunDot[]; lit: number };

export class LengthCurve extends Picture<CurveView> {
  slow = this.hatching("rejected");

  show(shown: CurveView) {
    const { letters, dots } = shown;
    const speeds = LENGTHS.map((k) => `k = ${k}: ${fixed(expectedSpeedup({ ...letters, k }), 2)}×`).join(", ");
    const runs = dots.map(({ name, k, speedup }) =>
      word("; recorded run {name}: k = {k}, {speed}×", { name, k, speed: fixed(speedup, 2) }),
    );
    this.present(shown, word("Expected speedup by draft length: {speeds}{runs}", { speeds, runs: runs.join("") }));
  }

  draw({ letters, dots, lit }: CurveView, { em }: PictureSize) {
    const edges = this.edges(3, 1, 0.9, 2.6);
    const { left, right, upper, lower, height } = edges;
    const speeds = LENGTHS.map((k) => expectedSpeedup({ ...letters, k }));
    const top = Math.max(2, Math.ceil(4 * Math.max(...speeds, ...dots.map((dot) => dot.speedup)) * 1.04) / 4);
    const x = scaleLinear([0, LONGEST], [left, right]);
    const y = scaleLinear([0, top], [lower, upper]);
    const every = x(1) - x(0) < 1.7 * em ? 4 : 2;
    const lengths = LENGTHS.filter((k) => k % every === 0);
    const best = bestLength(letters);
    const [here, speed] = [x(letters.k), speeds[letters.k]];
    const run = lit < 0 ? null : dots[lit];
    const aside = !run && dots.some(({ k }) => k === letters.k) ? 3.6 * em : 0; // beside the dots, and not on them
    const beside = Math.min(right - 4 * em, Math.max(left + 4 * em, here + aside));
    const above = run !== null && run.speedup < speed; // the run and its name lie below
    const runBefore = run && x(run.k) > right - 6 * em; // because of the end of the picture
    const free = above ? y(speed) - 1.1 * em : Math.min(lower - 0.4 * em, y(speed) + 1.9 * em);
    return [
      mark.bar("slow-region", left, right - left, y(1), lower, this.slow),
      mark.line("even-line", left, y(1), right, y(1)),
      lower - y(1) > 1.4 * em && mark.text("slow-words", word("slower than plain"), right - 0.5 * em, lower - 0.5 * em),
      mark.text("tick axis-name", word("draft length k"), (left + right) / 2, height - 0.3 * em),
      mark.path("speed-line", lineThrough(speeds.map((value, k) => [x(k), y(value)]))),
      mark.circle("speed-here", here, y(speed), 0.62 * em),
      ...speeds.map((value, k) => {
        const slower = value < 1 - 1e-9;
        const down = (slower ? 0.36 : 0.5) * em;
        return mark.text(`speed-point ${slower ? "slower" : "faster"}`, slower ? "✕" : "•", x(k), y(value) + down);
      }),
      best > 0 && mark.text("speed-star", "★", x(best), y(speeds[best]) + 0.5 * em),
      ...dots.map(({ k, speedup }, i) =>
        mark.text(`run-dot${i === lit ? " lit" : ""}`, RUN_MARK, x(k), y(speedup) + 0.47 * em),
      ),
      mark.text("speed-label", `k = ${letters.k}: ${fixed(speed, 2)}×`, beside, Math.max(em, free)),
      run !== null &&
        mark.text(
          `dot-label${runBefore ? " before" : ""}`,
          run.name,
          x(run.k) + (runBefore ? -0.9 : 0.9) * em,
          y(run.speedup) + 0.35 * em,
        ),
      ...mark.ticksAcross(lengths, x, edges),
      ...mark.ticksUpright(y.ticks(4).filter(Number.isInteger), y, edges, (value) => `${value}×`),
    ];
  }
}
