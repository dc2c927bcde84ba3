// Two windows of one browser on one lesson: what the presenter opens, the audience's window opens too.

/**
 * Where a window is in the lessons.
 * @typedef {{ lesson: string, language: string, page: number, analogy: string, chosen: number | null }} Whereabouts
 */

const CHANNEL = "specviz-lesson";

export class Following {
  /** @param {(where: Whereabouts) => void} follow */
  constructor(follow) {
    this.follow = follow;
    /** @type {BroadcastChannel | null} */
    this.channel = null;
  }

  /** @param {boolean} on */
  listen(on) {
    if (on === Boolean(this.channel)) return;
    this.channel?.close();
    this.channel = on ? new BroadcastChannel(CHANNEL) : null;
    this.channel?.addEventListener("message", ({ data }) => this.follow(data));
  }

  /** @param {Whereabouts} where */
  tell(where) {
    this.channel?.postMessage(where);
  }
}
