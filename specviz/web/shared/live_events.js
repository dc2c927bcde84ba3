// What is alive on the server, followed by its address: events where the way there lets them through, long polling where it holds them back.

/**
 * What is known of it: the value of every slot, the entries of every log.
 * @typedef {{ slots: Record<string, any>, logs: Record<string, any[]>, over: boolean }} Known
 * @typedef {{ anew?: boolean, set?: Record<string, any>, add?: Record<string, [number, any[]]>, over?: boolean }} News
 */

/** An address that has said nothing for so long is polled: the server speaks at once. */
const SILENT_MS = 4000;
const AGAIN_MS = 1500;

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
    /** @type {EventSource | null} */
    this.source = null;
    this.listen();
  }

  listen() {
    if (typeof EventSource === "undefined") {
      this.poll();
      return;
    }
    const source = new EventSource(this.at({}));
    this.source = source;
    let spoken = false;
    const silent = setTimeout(() => {
      if (!spoken) this.instead();
    }, SILENT_MS);
    source.addEventListener("clock", ({ data }) => this.clock(Number(data)));
    source.onmessage = (event) => {
      spoken = true;
      clearTimeout(silent);
      this.take(event.lastEventId, JSON.parse(event.data));
    };
    source.onerror = () => {
      // A browser comes back by itself, unless it was told that there is nothing: then its sentence is asked for.
      if (source.readyState === EventSource.CLOSED && !this.ended) {
        clearTimeout(silent);
        this.instead();
      }
    };
  }

  instead() {
    this.source?.close();
    this.source = null;
    this.poll();
  }

  async poll() {
    while (!this.ended) {
      try {
        const answer = await fetch(this.at({ poll: "1", from: this.mark }));
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

  /**
   * @param {string} mark
   * @param {News} message
   */
  take(mark, message) {
    this.mark = mark;
    this.known = informed(this.known, message);
    if (this.known.over) this.end();
    this.tell(this.known);
  }

  end() {
    this.ended = true;
    this.source?.close();
    this.source = null;
  }
}
