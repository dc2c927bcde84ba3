// What every stage with a clock needs: one frame at a time, and where each run was left.

export class Frames {
  /**
   * @param {HTMLElement} root
   * @param {(passed: number) => boolean} draw gets the seconds since the frame before, 0 after a rest, and returns whether another
   *   frame is wanted.
   */
  constructor(root, draw) {
    this.root = root;
    this.draw = draw;
    /** @type {number | null} */
    this.request = null;
    /** @type {number | null} */
    this.before = null;
    this.drawn = false;
  }

  /** Draw with the next frame; what was never drawn, before the browser paints it. */
  ask() {
    if (this.request !== null) return;
    if (!this.drawn && this.root.isConnected) {
      this.drawn = true;
      this.request = 0;
      queueMicrotask(() => {
        this.request = null;
        this.frame(performance.now());
      });
      return;
    }
    this.request = requestAnimationFrame((now) => {
      this.request = null;
      if (this.root.isConnected) this.frame(now);
    });
  }

  /** @param {number} now */
  frame(now) {
    const passed = this.before === null ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    if (this.draw(passed)) this.ask();
    else this.before = null;
  }

  /** The time until the next frame does not count. */
  rest() {
    this.before = null;
    this.ask();
  }
}

/** Whether the visitor's system asks for less motion: then nothing plays by itself. */
export function wantsStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const MAX_KEPT = 20;

/**
 * Where each run was left, by its id, across mounts: the last few are kept.
 * @template State
 */
export class Bookmarks {
  constructor() {
    /** @type {Map<string, State>} */
    this.kept = new Map();
  }

  /** @param {string | null} id */
  of(id) {
    return id === null ? undefined : this.kept.get(id);
  }

  /** @param {string | null} id @param {State} state */
  keep(id, state) {
    if (!id) return;
    this.kept.delete(id);
    this.kept.set(id, state);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}
