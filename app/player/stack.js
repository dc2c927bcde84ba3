// The target's layers as a small stack of bars, first layer at the bottom: which of them a pass goes through.

const MAX_BARS = 48;

class Stack {
  constructor() {
    this.node = el("span", "stack");
    this.node.setAttribute("aria-hidden", "true");
  }

  // `states` has a class name for each layer, the first one first; none for a model that is no part of the target.
  draw(states, title) {
    const key = states.join();
    if (key === this.key) return;
    this.key = key;
    this.node.hidden = !states.length;
    this.node.title = title;
    this.node.replaceChildren(...states.map((state) => el("i", state)).reverse());
  }
}

// What drafting goes through and what checking goes through, layer by layer; empty lists where another model drafts.
function layersOf(manner) {
  const { kind, layers } = manner;
  if (!layers || layers.all > MAX_BARS) return { draft: [], check: [] };
  const each = Array.from({ length: layers.all }, (_, i) => i);
  if (kind === "early-exit") {
    return { draft: each.map((i) => (i < layers.used ? "lit" : "out")), check: each.map((i) => (i < layers.used ? "done" : "lit")) };
  }
  const kept = (i) => Math.floor(((i + 1) * layers.used) / layers.all) > Math.floor((i * layers.used) / layers.all);
  return { draft: each.map((i) => (kept(i) ? "lit" : "out")), check: each.map(() => "lit") };
}
