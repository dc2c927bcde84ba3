// A phone's link to a room: its token, what happens there, and what the phone sends.

import { remember, remembered } from "../shared/browser_storage.ts";
import { LiveEvents, type LiveState } from "../shared/live_events.ts";

/** Where the tokens of this browser are kept, one for each room; where nothing is kept, a phone is another one after every reload. */
const PHONE = "specviz_phone_";

type RoomHeard = { tell: (known: LiveState) => void; refused: (sentence: string) => void };

export class RoomLink {
  base: string;
  heard: RoomHeard;
  code = "";
  phone = "";
  /** The server's clock less this browser's, in seconds. */
  ahead = 0;
  events: LiveEvents | null = null;
  /** Whether it is the window for the projector, which is nobody who is here. */
  hall: boolean;

  /** @param base what every path of the server begins with */
  constructor(base: string, heard: RoomHeard, hall: boolean) {
    this.base = base;
    this.heard = heard;
    this.hall = hall;
  }

  /** Enter the room of this code, as the phone that this browser is there. */
  async enter(typed: string) {
    const { room, phone } = await this.post(typed, "enter", { hall: this.hall });
    this.code = room;
    this.phone = phone;
    this.events?.end();
    const address = `${this.base}/rooms/${room}/events?phone=${phone}&lang=${document.documentElement.lang}${this.hall ? "&hall=1" : ""}`;
    const clock = (seconds: number) => {
      this.ahead = seconds - performance.now() / 1000;
    };
    this.events = new LiveEvents(address, { ...this.heard, clock });
  }

  /** Seconds by the server's clock. */
  now() {
    return performance.now() / 1000 + this.ahead;
  }

  async vote(poll: string, choice: number) {
    await this.post(this.code, "vote", { phone: this.phone, poll, choice });
    remember(`${PHONE}${this.code}`, JSON.stringify({ poll, choice }));
  }

  /** What this phone chose, where it has voted. */
  voted(poll: string): number | null {
    const kept = JSON.parse(remembered(`${PHONE}${this.code}`) ?? "null");
    return kept?.poll === poll ? kept.choice : null;
  }

  send(text: string) {
    return this.post(this.code, "prompt", { phone: this.phone, text });
  }

  get(what: string, query: Record<string, string>) {
    return this.ask(this.code, what, { ...query, phone: this.phone });
  }

  post(code: string, what: string, body: object) {
    const headers = { "content-type": "application/json" };
    return this.ask(code, what, {}, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** What the server answers; an error with its sentence where it refuses. */
  async ask(code: string, what: string, query: Record<string, string>, request?: RequestInit) {
    const search = new URLSearchParams({ ...query, lang: document.documentElement.lang });
    const answer = await fetch(`${this.base}/rooms/${encodeURIComponent(code)}/${what}?${search}`, request);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}
