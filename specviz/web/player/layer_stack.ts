// The target's layers as a small stack of bars, first layer at the bottom: which of them a pass goes through.

import { el, isNew } from "../shared/dom.ts";
import type { Card } from "../shared/json_types.ts";
import type { DrafterText } from "../shared/run_types.ts";

const MAX_BARS = 48;

/** The drafters that are a model of their own, beside the target. */
const TWO_MODELS = ["model", "tree"];

/** A layer of a model that stands alone: all its layers are used. */
export const OWN_LAYER = "lit own";

export class LayerStack {
  node = el("span", { class: "stack", "aria-hidden": "true" });

  /** @param states a class name for each layer, the first one first; none for a model that is no part of the target. */
  draw(states: string[]) {
    this.node.hidden = !states.length;
    if (!isNew(this, states)) return;
    this.node.classList.toggle("alone", states.includes(OWN_LAYER));
    this.node.replaceChildren(...states.map((state) => el("i", state)).reverse());
  }
}

/**
 * Which layers drafting and checking go through, layer by layer; those of each where another model drafts. After an early exit the
 * check continues where the draft stopped. A trained head reads the states after some of the layers ("tap"), which the check has left there.
 */
export function layersOf(
  { name, layers, reads, picture }: DrafterText,
  card: Card | null,
): { draft: string[]; check: string[] } {
  if (reads && reads.of <= MAX_BARS) {
    const read = Array.from({ length: reads.of }, (_, i) => reads.taps.includes(i + 1));
    return { draft: [], check: read.map((tapped) => (tapped ? "lit tap" : "lit")) };
  }
  const own = [card?.draft?.layers ?? 0, card?.target.layers ?? 0];
  if (TWO_MODELS.includes(name) && own[0] && Math.max(...own) <= MAX_BARS) {
    const [draft, check] = own.map((count) => new Array(count).fill(OWN_LAYER));
    return { draft, check };
  }
  if (!layers || layers.of > MAX_BARS) return { draft: [], check: [] };
  const used = Array.from({ length: layers.of }, (_, i) => layers.used.includes(i));
  return {
    draft: used.map((lit) => (lit ? "lit" : "out")),
    check: used.map((passed) => (passed && picture === "first layers" ? "done" : "lit")),
  };
}
