// Distance from plain sampling against the number of tokens, both on logarithmic scales. Honest samples lie in the grey band, which
// falls as 1/√n; a wrong rule leaves it and goes on level.

import { scaleLog } from "d3-scale";
import { place, shape } from "../../shared/dom.ts";
import { fixed, language, word } from "../../shared/words.ts";
import { Ticks } from "../common/axes.ts";
import { areaBetween, lineThrough, Picture, type PictureSize, showPart } from "../common/drawing.ts";
import type { RuleName } from "../lesson_types.ts";
import { RULE_NAMES } from "../rule/acceptance.ts";
import { type AuditRun, SIZES } from "./audit_run.ts";

const FEWEST = SIZES[0];
const MOST = SIZES[SIZES.length - 1];
const NEAREST = 0.002;
const FARTHEST = 1;
const SIZE_TICKS = [100, 1000, 10_000, 100_000];
const DISTANCE_TICKS = [0.01, 0.1, 1];

export class AuditChart {
  picture = new Picture("audit-chart", (size) => this.draw(size));
  node: HTMLDivElement = this.picture.node;
  band = shape("path", "noise-band");
  bandWords = shape("text", "noise-words", word("what honest samples differ by"));
  lines = RULE_NAMES.map(() => shape("path", "audit-line"));
  points = SIZES.map(() => shape("text", "audit-point"));
  here = shape("line", "audit-here");
  level = shape("line", "audit-level");
  sizes = new Ticks("across");
  distances = new Ticks("upright");
  rulers = DISTANCE_TICKS.map(() => shape("line", "ruler"));
  across = shape("text", "tick", word("tokens drawn"));
  upright = shape("text", "noise-words", word("total variation distance from plain sampling"));
  shown: { run: AuditRun; rule: RuleName; size: number } | null = null;

  constructor() {
    this.sizes.name(SIZE_TICKS, (size) => size.toLocaleString(language()));
    this.distances.name(DISTANCE_TICKS);
    const { svg } = this.picture;
    svg.append(
      this.band,
      ...this.rulers,
      this.here,
      this.level,
      ...this.lines,
      this.bandWords,
      this.upright,
      ...this.points,
    );
    svg.append(this.sizes.node, this.distances.node, this.across);
  }

  show(run: AuditRun, rule: RuleName, size: number) {
    this.shown = { run, rule, size };
    const { findings } = run.ruleOf(rule);
    const rows = findings.map((at) =>
      word("{size} tokens: {distance}, honest below {limit}", {
        size: at.size,
        distance: fixed(at.distance, 3),
        limit: fixed(at.limit, 3),
      }),
    );
    this.picture.name(word("Distance from plain sampling by tokens drawn. {rows}", { rows: rows.join("; ") }));
    this.picture.redraw();
  }

  draw({ width, height, em }: PictureSize) {
    if (!this.shown) return;
    const { run, rule, size } = this.shown;
    const [left, right, upper, lower] = [3 * em, width - 0.8 * em, 0.6 * em, height - 2.6 * em];
    const x = scaleLog([FEWEST, MOST], [left, right]);
    const y = scaleLog([NEAREST, FARTHEST], [lower, upper]).clamp(true);
    place(this.band, { d: areaBetween([FEWEST, MOST].map((count) => [x(count), y(run.limitAt(count))]), [lower, lower]) }); // biome-ignore format: one path
    place(this.bandWords, { x: left + 0.7 * em, y: lower - 0.6 * em });
    place(this.upright, { x: left + 0.7 * em, y: upper + 1.2 * em });
    place(this.here, { x1: x(size), x2: x(size), y1: upper, y2: lower });
    const { bias, needs } = run.biasOf(rule);
    showPart(this.level, needs !== null);
    place(this.level, { x1: left, x2: right, y1: y(bias), y2: y(bias) });
    run.rules.forEach(({ name, findings }, i) => {
      const path = lineThrough(findings.map((at) => [x(at.size), y(at.distance)]));
      const kind = `${name === "exact" ? "honest" : "wrong"}${name === rule ? " lit" : ""}`;
      place(this.lines[i], { d: path, class: `audit-line ${kind}` });
    });
    const { findings } = run.ruleOf(rule);
    this.points.forEach((point, i) => {
      showPart(point, i < findings.length);
      if (i >= findings.length) return;
      const at = findings[i];
      const { noticed } = at;
      const sign = noticed ? "✕" : "•";
      if (point.textContent !== sign) point.textContent = sign;
      const kind = `${noticed ? "noticed" : "quiet"}${at.size === size ? " chosen" : ""}`;
      place(point, { x: x(at.size), y: y(at.distance) + (noticed ? 0.36 : 0.5) * em, class: `audit-point ${kind}` });
    });
    const edges = { left, lower, em };
    this.sizes.draw((count) => Math.min(x(count), right - 2 * em), edges);
    this.distances.draw((distance) => Math.max(0.65 * em, y(distance)), edges);
    this.rulers.forEach((ruler, i) => {
      place(ruler, { x1: left, x2: right, y1: y(DISTANCE_TICKS[i]), y2: y(DISTANCE_TICKS[i]) });
    });
    place(this.across, { x: (left + right) / 2, y: height - 0.3 * em });
  }
}
