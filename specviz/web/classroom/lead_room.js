// The presenter's moves on their way to the room: one at a time, and of those that wait only the last.

/** @import { Lead } from "../shared/types" */

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
    while (this.waiting && this.lead) {
      const { address, secret } = this.lead;
      const body = JSON.stringify({ ...this.waiting, secret });
      this.waiting = null;
      try {
        await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
      } catch {
        // the server is away: the next move tells where the presenter is
      }
    }
    this.sending = false;
  }
}
