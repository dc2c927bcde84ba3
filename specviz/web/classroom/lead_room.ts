// The presenter's moves on their way to the room: one at a time, and of those that wait only the last.

import type { Lead } from "../shared/json_types.ts";

/** A move that the server did not take, since it was away or has started again, is told again so often. */
const TRIES = 20;
const AGAIN_MS = 1500;

export class LeadRoom {
  lead: Lead | null = null;
  waiting: object | null = null;
  sending = false;

  report(where: object) {
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

  async told(where: object) {
    const { address, secret } = this.lead as Lead;
    const headers = { "content-type": "application/json" };
    try {
      return (await fetch(address, { method: "POST", headers, body: JSON.stringify({ ...where, secret }) })).ok;
    } catch {
      return false; // the server is away for a moment
    }
  }
}
