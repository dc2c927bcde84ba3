// What every stage with a clock needs: one frame at a time, and where each run was left.

class Frames {
  // `draw(passed)` is told the seconds since the frame before, 0 after a rest, and says whether another is wanted.
  constructor(root, draw) {
    this.root = root;
    this.draw = draw;
  }

  ask() {
    if (this.asked) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = null;
      if (this.root.isConnected) this.frame(now);
    });
  }

  frame(now) {
    const passed = this.before === undefined ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    if (this.draw(passed)) this.ask();
    else this.before = undefined;
  }

  // The time until the next frame does not count.
  rest() {
    this.before = undefined;
    this.ask();
  }
}

const MAX_PLACES = 20;

// By id, across mounts: the last few are kept.
class Places {
  constructor() {
    this.kept = new Map();
  }

  of(id) {
    return this.kept.get(id);
  }

  keep(id, place) {
    if (!id) return;
    this.kept.delete(id);
    this.kept.set(id, place);
    if (this.kept.size > MAX_PLACES) this.kept.delete(this.kept.keys().next().value);
  }
}
