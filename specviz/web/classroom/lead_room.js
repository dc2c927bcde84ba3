// The presenter's moves on their way to the room: one at a time, and of those that wait only the last.

/** @import { Lead } from "../shared/types" */

/** A move that the server did not take, since it was away or has started again, is told again so often. */
const TRIES = 20;
const AGAIN_MS = 1500;

export class LeadRoom {
  constructor() {
    /** @type {Lead | null} */
    this.lead = null;
    /** @type {object | null} */
    this.waiting = null;
    this.sending = false;
  }

  /** @param {object} where */
  report(where) {
    this.waiting = where;
    if (!this.sending) this.send();
  }

  async send() {
    this.sending = true;
    let tries = 0;
    while (this.waiting && this.lead && tries < TRIES) {
      const where = this.waiting;
      this.waiting = null;
      if (await this.told(where)) {
        tries = 0;
        continue;
      }
      this.waiting ??= where; // unless the presenter has gone on
      tries += 1;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
    this.sending = false;
  }

  /** @param {object} where */
  async told(where) {
    const { address, secret } = /** @type {Lead} */ (this.lead);
    const headers = { "content-type": "application/json" };
    try {
      return (await fetch(address, { method: "POST", headers, body: JSON.stringify({ ...where, secret }) })).ok;
    } catch {
      return false; // the server is away for a moment
    }
  }
}
