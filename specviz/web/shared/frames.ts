// What every stage with a clock needs: one frame at a time.

export class Frames {
  root: HTMLElement;
  draw: (passed: number) => boolean;
  request: number | null = null;
  before: number | null = null;
  drawn = false;
  /** Whether a film is made of it: its pictures move the clock, and time does not. */
  filmed = false;

  /** @param draw gets the seconds since the frame before, 0 after a rest, and returns whether another frame is wanted. */
  constructor(root: HTMLElement, draw: (passed: number) => boolean) {
    this.root = root;
    this.draw = draw;
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
    this.request = requestAnimationFrame((timestamp) => {
      this.request = null;
      if (this.root.isConnected) this.frame(timestamp);
    });
  }

  frame(timestamp: number) {
    if (this.filmed) return;
    const passed = this.before === null ? 0 : Math.min(0.1, (timestamp - this.before) / 1000);
    this.before = timestamp;
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
