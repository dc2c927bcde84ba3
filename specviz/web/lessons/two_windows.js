// Two windows of one browser on one lesson: what the presenter opens, the audience's window opens too.

/** @import { MeasuredNow } from "./measured/measured_link.js" */

/**
 * Where a window is in the lessons.
 * @typedef {{ lesson: string, language: string, page: number, analogy: string, chosen: number | null }} Whereabouts
 */

const CHANNEL = "specviz-lesson";

export class TwoWindows {
  /**
   * @param {(where: Whereabouts) => void} follow
   * @param {(measured: MeasuredNow) => void} take what the other window knows of measurements
   */
  constructor(follow, take) {
    this.follow = follow;
    this.take = take;
    /** @type {BroadcastChannel | null} */
    this.channel = null;
  }

  /** @param {boolean} on */
  listen(on) {
    if (on === Boolean(this.channel)) return;
    this.channel?.close();
    this.channel = on ? new BroadcastChannel(CHANNEL) : null;
    this.channel?.addEventListener("message", ({ data }) => {
      if (data.measured) this.take({ ...data.measured, at: performance.now() });
      else this.follow(data);
    });
  }

  /** @param {Whereabouts} where */
  send(where) {
    this.channel?.postMessage(where);
  }

  /** @param {MeasuredNow} measured */
  sendMeasured(measured) {
    this.channel?.postMessage({ measured });
  }
}
