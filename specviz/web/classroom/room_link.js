// A phone's link to a room: its token, what happens there, and what the phone sends.

/** @import { Known } from "../shared/live_events.js" */

import { remember, remembered } from "../shared/kept_here.js";
import { LiveEvents } from "../shared/live_events.js";

/** Where the tokens of this browser are kept, one for each room; where nothing is kept, a phone is another one after every reload. */
const PHONE = "specviz_phone_";

export class RoomLink {
  /**
   * @param {string} base what every path of the server begins with
   * @param {{ tell: (known: Known, link: RoomLink) => void, refused: (sentence: string) => void }} heard
   */
  constructor(base, heard) {
    this.base = base;
    this.heard = heard;
    this.code = "";
    this.phone = "";
    /** The server's clock less this browser's, in seconds. */
    this.ahead = 0;
    /** @type {LiveEvents | null} */
    this.events = null;
  }

  /** Enter the room of this code, as the phone that this browser is there. @param {string} typed */
  async enter(typed) {
    const { room, phone } = await this.post(typed, "enter", {});
    this.code = room;
    this.phone = phone;
    this.events?.end();
    const address = `${this.base}/rooms/${room}/events?phone=${phone}&lang=${document.documentElement.lang}`;
    this.events = new LiveEvents(address, {
      tell: (known) => this.heard.tell(known, this),
      clock: (seconds) => {
        this.ahead = seconds - performance.now() / 1000;
      },
      refused: (sentence) => this.heard.refused(sentence),
    });
  }

  /** Seconds by the server's clock. */
  now() {
    return performance.now() / 1000 + this.ahead;
  }

  /** @param {string} poll @param {number} choice */
  async vote(poll, choice) {
    await this.post(this.code, "vote", { phone: this.phone, poll, choice });
    remember(`${PHONE}${this.code}`, JSON.stringify({ poll, choice }));
  }

  /** What this phone chose, where it has voted. @param {string} poll @returns {number | null} */
  voted(poll) {
    const kept = JSON.parse(remembered(`${PHONE}${this.code}`) ?? "null");
    return kept?.poll === poll ? kept.choice : null;
  }

  /** @param {string} text */
  send(text) {
    return this.post(this.code, "prompt", { phone: this.phone, text });
  }

  /** @param {string} what @param {Record<string, string>} query */
  async get(what, query) {
    const search = new URLSearchParams({ ...query, phone: this.phone, lang: document.documentElement.lang });
    const answer = await fetch(`${this.base}/rooms/${this.code}/${what}?${search}`);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  /** @param {string} code @param {string} what @param {object} body */
  async post(code, what, body) {
    const address = `${this.base}/rooms/${encodeURIComponent(code)}/${what}?lang=${document.documentElement.lang}`;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}
