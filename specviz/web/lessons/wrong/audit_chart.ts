// Distance from plain sampling against the number of tokens, both on logarithmic scales. Honest samples lie in the grey band, which
// falls as 1/√n; a wrong rule leaves it and goes on level.

import { scaleLog } from "d3-scale";
import { fixed, language, word } from "../../shared/words.ts";
import { areaBetween, lineThrough, Picture, type PictureSize } from "../common/drawing.ts";
import { join, line, path, text, ticksAcross, ticksUpright } from "../common/marks.ts";
import type { RuleName } from "../lesson_types.ts";
import { type AuditRun, SIZES } from "./audit_run.ts";

const FEWEST = SIZES[0];
const MOST = SIZES[SIZES.length - 1];
const NEAREST = 0.002;
const FARTHEST = 1;
const SIZE_TICKS = [100, 1000, 10_000, 100_000];
const DISTANCE_TICKS = [0.01, 0.1, 1];

type AuditView = { run: AuditRun; rule: RuleName; size: number };

export class AuditChart extends Picture<AuditView> {
  show(shown: AuditView) {
    const { findings } = shown.run.ruleOf(shown.rule);
    const rows = findings.map((at) =>
      word("{size} tokens: {distance}, correct below {limit}", {
        size: at.size,
        distance: fixed(at.distance, 3),
        limit: fixed(at.limit, 3),
      }),
    );
    this.present(shown, word("Distance from plain sampling by tokens drawn. {rows}", { rows: rows.join("; ") }));
  }

  draw({ run, rule, size }: AuditView, { width, height, em }: PictureSize) {
    const [left, right, upper, lower] = [3 * em, width - 0.8 * em, 0.6 * em, height - 2.6 * em];
    const edges = { left, lower, em };
    const x = scaleLog([FEWEST, MOST], [left, right]);
    const y = scaleLog([NEAREST, FARTHEST], [lower, upper]).clamp(true);
    const limits = [FEWEST, MOST].map((count): [number, number] => [x(count), y(run.limitAt(count))]);
    const { bias, needs } = run.biasOf(rule);
    const { findings } = run.ruleOf(rule);
    join(this.parts, [
      path("noise-band", areaBetween(limits, [lower, lower])),
      ...DISTANCE_TICKS.map((distance) => line("ruler", left, y(distance), right, y(distance))),
      line("audit-here", x(size), upper, x(size), lower),
      needs !== null && line("audit-level", left, y(bias), right, y(bias)),
      ...run.rules.map(({ name, findings }) => {
        const kind = `${name === "exact" ? "honest" : "wrong"}${name === rule ? " lit" : ""}`;
        return path(`audit-line ${kind}`, lineThrough(findings.map((at) => [x(at.size), y(at.distance)])));
      }),
      text("noise-words", word("how much two correct samples differ"), left + 0.7 * em, lower - 0.6 * em),
      text("noise-words", word("total variation distance from plain sampling"), left + 0.7 * em, upper + 1.2 * em),
      ...SIZES.map((_, i) => {
        if (i >= findings.length) return false;
        const { noticed, distance, size: drawn } = findings[i];
        const kind = `${noticed ? "noticed" : "quiet"}${drawn === size ? " chosen" : ""}`;
        const down = (noticed ? 0.36 : 0.5) * em;
        return text(`audit-point ${kind}`, noticed ? "✕" : "•", x(drawn), y(distance) + down);
      }),
      ...ticksAcross(
        SIZE_TICKS,
        (count) => Math.min(x(count), right - 2 * em),
        edges,
        (count) => count.toLocaleString(language()),
      ),
      ...ticksUpright(DISTANCE_TICKS, (distance) => Math.max(0.65 * em, y(distance)), edges),
      text("tick", word("tokens drawn"), (left + right) / 2, height - 0.3 * em),
    ]);
  }
}
