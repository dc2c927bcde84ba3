// A trained head on top of the target's layers: its boxes in the drafter's row, and a line from each layer whose states it reads.

import { el, isNew, setText } from "../shared/dom.ts";
import type { Round } from "../shared/json_types.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { boxesOfHead, depthTyped, drawnHead, filledAt } from "../shared/trained_heads.ts";

export class HeadTower {
  boxes = el("span", { class: "boxes", "aria-hidden": "true", hidden: true });
  lines = el("span", { class: "feeds", "aria-hidden": "true", hidden: true });
  lit = -1;

  draw(run: Run, round: Round | undefined, position: Position) {
    const kind = drawnHead(run.drafterText);
    this.boxes.hidden = !kind;
    this.lines.hidden = !kind || !run.drafterText.reads;
    if (!kind) return;
    this.build(run);
    const filled = position.phase === "draft" ? filledAt(run.drafterText, position.fraction) : null;
    this.boxes.classList.toggle("filling", filled !== null && filled < 1 && round !== undefined);
    if (filled !== null) this.boxes.style.setProperty("--filled", String(filled));
    const depth = depthTyped(round, position.typed);
    if (depth === this.lit) return;
    this.lit = depth;
    const nodes = [...this.boxes.children];
    if (kind.order === "one by one") {
      for (const node of nodes) node.classList.toggle("lit", depth > 0);
      const layer = nodes.at(-1);
      if (layer) setText(layer, depth ? `↻ ${depth}` : "↻");
    } else nodes.forEach((node, i) => void node.classList.toggle("lit", i < depth));
  }

  /** Once for a run and its rounds so far. */
  build(run: Run) {
    const { reads, picture } = run.drafterText;
    if (!isNew(this, run.id, run.rounds.length, picture, reads?.taps)) return;
    this.lit = -1;
    this.boxes.replaceChildren(...boxesOfHead(run).map((label) => el("i", "", label)));
    const lines = (reads?.taps ?? []).map((tap, i, taps) => {
      const at = reads ? Math.max(0, tap - 0.5) / reads.of : 1;
      return el("i", { class: tap === reads?.of ? "last" : "", "--at": at, "--out": taps.length - i });
    });
    this.lines.replaceChildren(...lines);
  }
}
