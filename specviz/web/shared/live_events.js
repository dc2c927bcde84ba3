// What is alive on the server, followed by its address: events where the way there lets them through, long polling where it holds them back.

/**
 * What is known of it: the value of every slot, the entries of every log.
 * @typedef {{ slots: Record<string, any>, logs: Record<string, any[]>, over: boolean }} Known
 * @typedef {{ anew?: boolean, set?: Record<string, any>, add?: Record<string, [number, any[]]>, over?: boolean }} News
 */

/** An address that has said nothing for so long is polled: the server speaks at once. */
const SILENT_MS = 4000;
const AGAIN_MS = 1500;
/** The server gives a sign of life every ten seconds: after three that did not come the connection is lost, whatever the browser thinks. */
const LOST_MS = 35_000;
const INSISTS = 10;
const INSISTS_MS = 3000;

/**
 * Tell the page's server something until it has heard it: while the page's own connection is lost, Streamlit drops what it is told.
 * @param {() => void} tell
 * @param {() => boolean} unheard
 */
export function insist(tell, unheard, left = INSISTS) {
  if (!left || !unheard()) return;
  tell();
  setTimeout(() => insist(tell, unheard, left - 1), INSISTS_MS);
}

/** @returns {Known} */
export const nothingKnown = () => ({ slots: {}, logs: {}, over: false });

/**
 * What is known after a message. One that comes twice changes nothing.
 * @param {Known} known
 * @param {News} message
 * @returns {Known}
 */
export function informed(known, message) {
  const { slots, logs } = message.anew ? nothingKnown() : known;
  const added = Object.entries(message.add ?? {}).map(([name, [first, entries]]) => [
    name,
    [...(logs[name] ?? []).slice(0, first), ...entries],
  ]);
  return {
    slots: { ...slots, ...message.set },
    logs: { ...logs, ...Object.fromEntries(added) },
    over: Boolean(message.over),
  };
}

export class LiveEvents {
  /**
   * @param {string} address
   * @param {{ tell: (known: Known) => void, clock?: (seconds: number) => void, refused?: (sentence: string) => void }} heard
   *   `tell` is called after every message, `clock` with what the server's clock shows, `refused` with what the server says where it gives
   *   no events.
   */
  constructor(address, { tell, clock = () => {}, refused = () => {} }) {
    this.address = address;
    this.tell = tell;
    this.clock = clock;
    this.refused = refused;
    this.known = nothingKnown();
    /** What the server calls that. */
    this.mark = "";
    this.ended = false;
    this.polls = false;
    this.silent = 0;
    this.given = new AbortController();
    /** @type {EventSource | null} */
    this.source = null;
    /** Nobody looks at a hidden page: it takes no connection from those that are looked at. */
    this.seen = () => {
      if (this.ended || this.polls) return;
      if (document.hidden) this.close();
      else if (!this.source) this.listen();
    };
    document.addEventListener("visibilitychange", this.seen);
    this.listen();
  }

  listen() {
    if (typeof EventSource === "undefined") {
      this.poll();
      return;
    }
    const source = new EventSource(this.at({ from: this.mark }));
    this.source = source;
    this.listenFor(SILENT_MS, () => this.instead());
    source.addEventListener("clock", ({ data }) => {
      this.clock(Number(data));
      this.listenFor(LOST_MS, () => {
        this.close();
        this.listen();
      });
    });
    source.onmessage = (event) => this.take(event.lastEventId, JSON.parse(event.data));
    source.onerror = () => {
      // A browser comes back by itself, unless it was told that there is nothing: then its sentence is asked for.
      if (source.readyState === EventSource.CLOSED && !this.ended) this.instead();
    };
  }

  /**
   * @param {number} milliseconds
   * @param {() => void} act what is done where the server has not spoken by then
   */
  listenFor(milliseconds, act) {
    clearTimeout(this.silent);
    this.silent = window.setTimeout(act, milliseconds);
  }

  instead() {
    this.close();
    this.polls = true;
    this.poll();
  }

  close() {
    clearTimeout(this.silent);
    this.source?.close();
    this.source = null;
  }

  async poll() {
    while (!this.ended) {
      try {
        const answer = await fetch(this.at({ poll: "1", from: this.mark }), { signal: this.given.signal });
        if (answer.ok) {
          const { known, clock, message } = await answer.json();
          this.clock(clock);
          if (!this.ended) this.take(known, message);
          continue;
        }
        if (answer.status < 500) {
          this.end();
          this.refused(await answer.text());
          return;
        }
        this.refused(await answer.text());
      } catch {
        // the server is away for a moment
      }
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  /** @param {Record<string, string>} more */
  at(more) {
    const address = new URL(this.address, location.href);
    for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
    return address.href;
  }

  /** @param {string} mark @param {News} message */
  take(mark, message) {
    this.mark = mark;
    this.known = informed(this.known, message);
    if (this.known.over) this.end();
    this.tell(this.known);
  }

  end() {
    this.ended = true;
    this.given.abort();
    document.removeEventListener("visibilitychange", this.seen);
    this.close();
  }
}
