// The presenter's moves on their way to the room: one at a time, and of those that wait only the last.

import type { LearnData } from "../lessons/lesson_types.ts";
import { listenWhileShown } from "../shared/dom.ts";
import type { FollowedMoment, Lead, PageNow, PresenterMoment, RaceMoment } from "../shared/json_types.ts";

/** The event of the window with which a page hears of the presenter's moment. */
export const NEWS = "specviz-moment";

/** Clocks that are less than so many seconds apart show the same. */
export const APART_S = 0.3;
/** The moment is reported so often at most. */
const REPORTED_MS = 200;

/** A move that the server did not take, since it was away or has started again, is told again so often. */
const TRIES = 20;
const AGAIN_MS = 1500;

class LeadRoom {
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

type Reported = Partial<PresenterMoment & RaceMoment> & Pick<PresenterMoment, "clock" | "playing">;

/** Reports where a stage or a race is, whenever that is not what its clock would have come to by itself. */
export class Leading {
  room = new LeadRoom();
  reported: (Reported & { at: number }) | null = null;
  later: number | null = null;

  to(lead: Lead | null) {
    if (lead?.secret !== this.room.lead?.secret) this.reported = null;
    this.room.lead = lead;
  }

  /** @param where the moment, how many of its clock's seconds pass in one, and where that clock ends */
  look(where: () => { there: Reported; rate: number; end: number }) {
    if (!this.room.lead || this.later !== null) return;
    const { there, rate, end } = where();
    const now = performance.now();
    const before = this.reported;
    const same = (["run", "playing", "pace", "factor", "round"] as const).every(
      (name) => before?.[name] === there[name],
    );
    if (before && same) {
      const expected = before.clock + (there.playing ? (rate * (now - before.at)) / 1000 : 0);
      if (Math.abs(Math.min(expected, end) - there.clock) < (there.playing ? APART_S * rate : 1e-6)) return;
    }
    if (before && now - before.at < REPORTED_MS) {
      this.later = window.setTimeout(() => {
        this.later = null;
        this.look(where);
      }, REPORTED_MS);
      return;
    }
    this.reported = { ...there, at: now };
    this.room.report(there);
  }
}

/** How many seconds the presenter's clock has gone on since the moment was reported. */
export function passedSince({ playing, since, at }: FollowedMoment & { at: number }) {
  return playing ? since + (performance.now() - at) / 1000 : 0;
}

/** What a room reads and turns of the Learn screen. */
interface RoomLesson {
  root: HTMLElement;
  data: LearnData | null;
  /** Where its lesson is; null where none is open. */
  whereabouts: () => (Omit<PageNow, "number"> & { page: number }) | null;
  turnWith: (page: number, analogy: string, chosen: number | null) => void;
}

/** A lesson in a room: the presenter's tells the server its page, and those of the audience go there. */
export class ClassroomSync {
  learn: RoomLesson;
  /** What was reported to the server last. */
  reported = "";
  leading = new LeadRoom();

  constructor(learn: RoomLesson) {
    this.learn = learn;
    listenWhileShown(learn.root, window, NEWS, () => this.follow());
  }

  /** The lesson has got its data. */
  show() {
    const { root, data } = this.learn;
    root.classList.toggle("in-room", Boolean(data?.room));
    root.classList.toggle("following", data?.room === "following");
    this.report();
    this.follow();
  }

  /** Report to the server which page is open, once for each page and answer, if a room goes with it. */
  report() {
    const { data } = this.learn;
    const where = this.learn.whereabouts();
    const report = JSON.stringify(where);
    if (!where || !data?.lead || report === this.reported) return;
    this.reported = report;
    this.leading.lead = data.lead;
    this.leading.report(where);
  }

  /** Go to the presenter's page. */
  follow() {
    const page = window.specvizMoment?.page;
    const { lesson, room } = this.learn.data ?? {};
    const vote = window.specvizVote;
    const asked = vote?.over === false && vote.run === `learn/${lesson?.name}`;
    this.learn.root.classList.toggle("voting", asked); // the answers stand once, as the buttons of the vote
    if (room !== "following" || !page || page.lesson !== lesson?.name || page.language !== lesson.language) return;
    const { number, analogy, chosen } = page;
    const before = this.learn.whereabouts();
    if (before?.page === number && before.analogy === analogy && before.chosen === chosen) return;
    this.learn.turnWith(number, analogy, chosen);
  }
}
