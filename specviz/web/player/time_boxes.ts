// Two lanes on one clock, as boxes at the recorded times: plain decoding, one long pass a token, and speculative decoding, short
// draft passes and one target pass a round. Pure, no DOM.

import type { DrafterText, Run } from "../shared/run_types.ts";
import { passesOf } from "../shared/trained_heads.ts";

/**
 * One box: lane 0 is plain, lane 1 speculative; times in engine seconds. `ticks` divide a draft block evenly into its passes
 * and are not measurements of their own; `layers` are the target's layers that a draft pass goes through, where it is a part of the target;
 * `done` is the share of a target pass that an early exit has already computed.
 */
export type Box = {
  lane: 0 | 1;
  kind: "target" | "draft" | "rest";
  from: number;
  to: number;
  ticks?: number;
  layers?: DrafterText["layers"];
  done?: number;
};

/** Every pass as a box. */
export function boxesOf(run: Run): Box[] {
  const { layers, picture } = run.drafterText;
  const share = layers && picture === "first layers" ? layers.used.length / layers.of : 0;
  const boxes: Box[] = run.plain.ends.map((to, i) => ({
    lane: 0,
    kind: "target",
    from: i ? run.plain.ends[i - 1] : 0,
    to,
  }));
  for (const round of run.rounds) {
    const ticks = passesOf(run.drafterText, round);
    const verifyAt = round.began_s + round.draft_s;
    const judgeAt = verifyAt + round.verify_s;
    if (round.draft_s > 0 && ticks) {
      boxes.push({ lane: 1, kind: "draft", from: round.began_s, to: verifyAt, ticks, layers });
    }
    boxes.push({ lane: 1, kind: "target", from: verifyAt, to: judgeAt, done: ticks ? share : 0 });
    boxes.push({ lane: 1, kind: "rest", from: judgeAt, to: round.ended_s });
  }
  return boxes;
}

/** Engine seconds at the end of each lane, and of the longer one. */
export function laneEnds(run: Run) {
  const plain = run.plain.ends.at(-1) ?? 0;
  const speculative = run.ends.at(-1) ?? 0;
  return { plain, speculative, all: Math.max(plain, speculative) };
}
