// What is alive on the server, followed by its address: events where the way there lets them through, long polling where it holds them back.

import type { Json } from "./json_types.ts";

/** What is known of it: the value of every slot, the entries of every log. */
export type LiveState = { slots: Record<string, Json>; logs: Record<string, Json[]>; over: boolean };
/** What it says is new: values of slots, and entries of logs from an index on; `anew` where nothing before counts. */
type News = { anew?: boolean; set?: Record<string, Json>; add?: Record<string, [number, Json[]]>; over?: boolean };

/** An address that has said nothing for so long is polled: the server speaks at once. */
const SILENT_MS = 4000;
/** Before a server that was away is asked again. */
export const AGAIN_MS = 1500;
/** The server gives a sign of life every ten seconds: after three that did not come the connection is lost, whatever the browser thinks. */
const LOST_MS = 35_000;
const INSISTS = 10;
const INSISTS_MS = 3000;

/** Tell the page's server something until it has heard it: while the page's own connection is lost, Streamlit drops what it is told. */
export function insist(tell: () => void, unheard: () => boolean, left = INSISTS) {
  if (!left || !unheard()) return;
  tell();
  setTimeout(() => insist(tell, unheard, left - 1), INSISTS_MS);
}

export const emptyState = (): LiveState => ({ slots: {}, logs: {}, over: false });

/** What is known after a message. One that comes twice changes nothing. */
export function updated(state: LiveState, message: News): LiveState {
  const { slots, logs } = message.anew ? emptyState() : state;
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

type Heard = {
  tell: (state: LiveState) => void;
  clock?: (seconds: number) => void;
  refused?: (sentence: string) => void;
};

export class LiveEvents {
  address: string;
  tell: (state: LiveState) => void;
  clock: (seconds: number) => void;
  refused: (sentence: string) => void;
  known: LiveState = emptyState();
  /** What the server calls that. */
  mark = "";
  ended = false;
  polls = false;
  silent = 0;
  given = new AbortController();
  source: EventSource | null = null;
  /** Nobody looks at a hidden page: it takes no connection from those that are looked at. */
  seen: () => void = () => {
    if (this.ended || this.polls) return;
    if (document.hidden) this.close();
    else if (!this.source) this.listen();
  };

  /**
   * @param heard `tell` is called after every message, `clock` with what the server's clock shows, `refused` with what the server says where it gives
   *   no events.
   */
  constructor(address: string, { tell, clock = () => {}, refused = () => {} }: Heard) {
    this.address = address;
    this.tell = tell;
    this.clock = clock;
    this.refused = refused;
    document.addEventListener("visibilitychange", this.seen);
    this.listen();
  }

  listen() {
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

  /** @param act what is done where the server has not spoken by then */
  listenFor(milliseconds: number, act: () => void) {
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
        const sentence = await answer.text();
        if (answer.status < 500) this.end();
        this.refused(sentence);
      } catch {
        // the server is away for a moment
      }
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  at(more: Record<string, string>) {
    const address = new URL(this.address, location.href);
    for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
    return address.href;
  }

  take(mark: string, message: News) {
    this.mark = mark;
    this.known = updated(this.known, message);
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
