// A lesson in a room: the presenter's tells the server its page, and those of the audience go there.

import type { Learn } from "../lessons/learn.ts";
import { listenWhileShown } from "../shared/dom.ts";
import { LeadRoom, NEWS } from "./lead_room.ts";

export class ClassroomSync {
  learn: Learn;
  /** What was reported to the server last. */
  reported = "";
  leading = new LeadRoom();

  constructor(learn: Learn) {
    this.learn = learn;
  }

  /** Hear of the presenter's page, as long as the lesson is on the page. */
  listen() {
    listenWhileShown(this.learn.root, window, NEWS, () => this.follow());
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
