// The page of somebody in the audience of a room: the presenter's stage or lesson, the vote, and a box for prompts. It has no server of its own.

/** @import { Given, View } from "../shared/types" */
/** @import { LearnData } from "../lessons/types" */
/** @import { Known } from "../shared/live_events.js" */

import { Learn } from "../lessons/learn.js";
import { holdPresses } from "../page/hold_press.js";
import { mount } from "../player/mount_player.js";
import { button, el } from "../shared/dom.js";
import { useWords, word } from "../shared/words.js";
import { NEWS } from "./presenter_moment.js";
import { RoomLink } from "./room_link.js";
import { VoteBox } from "./vote_box.js";

const CODE = /\/join\/([^/]+)\/?$/;
/** Phones fetch a run that was shown to its end within so long, not all at once. */
const SPREAD_MS = 2000;
/** In a hall letters grow with the window, as on the presenter's page. */
const LARGE = "max(16px, min(1.25vw, 2.22223vh))";
const nothing = () => {};

class JoinPage {
  constructor() {
    holdPresses();
    const { base = "", given = "" } = document.documentElement.dataset;
    this.base = base;
    /** @type {Promise<Given>} */
    this.given = fetch(given).then((answer) => answer.json());
    this.link = new RoomLink(base, {
      tell: (known) => this.hear(known),
      refused: (sentence) => this.say(sentence),
    });
    /** Whether it is the window for the projector: large type, and nothing that a hall cannot press. */
    this.hall = new URLSearchParams(location.search).get("hall") === "1";
    document.documentElement.classList.toggle("hall", this.hall);
    if (this.hall) document.documentElement.style.fontSize = LARGE;
    this.alone = false;
    /** What is on the presenter's stage, as it was shown last. */
    this.shown = "";
    /** @type {{ run: string, view: View | null } | null} */
    this.whole = null;
    /** @type {Known | null} */
    this.known = null;
    /** @type {Learn | null} */
    this.learn = null;
    this.problem = el("p", { class: "join-problem", role: "alert", hidden: true }, "");
    this.room = el("span", "join-room", "");
    const head = el("header", "join-head", el("strong", "join-name", "specviz"), this.room);
    this.door = this.doorOf();
    this.votes = new VoteBox((poll, choice) => this.vote(poll, choice));
    this.stage = el("div", "stage");
    this.lesson = el("div", "learn");
    this.waiting = el("p", "join-waiting");
    this.waiting.append(word("The presenter has nothing on the stage yet: it appears here by itself."));
    this.look = button("join-look", word("Look around by myself"), () => this.lookAround(!this.alone));
    this.prompt = this.promptOf();

    this.inside = el("main", { class: "join-inside", hidden: true });
    this.inside.append(this.votes.node, this.waiting, this.stage, this.lesson, this.look, this.prompt);
    document.body.replaceChildren(head, this.problem, this.door, this.inside);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.shown = "";
      this.draw();
    });
  }

  doorOf() {
    const label = el("label", "", word("Code on the presenter’s screen"));
    const box = el("input", "join-code");
    box.name = "code";
    box.maxLength = 20;
    box.autocomplete = "off";
    box.autocapitalize = "characters";
    box.spellcheck = false;
    label.append(box);
    const join = el("button", "join-button", word("Join"));
    const form = el("form", "join-door", label, join);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(box.value);
    });
    return form;
  }

  promptOf() {
    const label = el("label", "", word("A prompt for the presenter"));
    const box = el("input", "join-text");
    box.maxLength = 500;
    label.append(box);
    const said = el("span", { class: "join-sent", role: "status" }, "");
    const form = el("form", "join-prompt", label, el("button", "join-button", word("Send¦prompt")), said);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.attempt(async () => {
        await this.link.send(box.value);
        box.value = "";
        said.textContent = word("Sent: the presenter sees it now.");
      });
    });
    box.addEventListener("input", () => {
      said.textContent = "";
    });
    return form;
  }

  /** Enter the room of the address, or ask for a code. */
  begin() {
    const code = CODE.exec(location.pathname)?.[1];
    if (code) this.enter(decodeURIComponent(code));
  }

  /** @param {string} code */
  async enter(code) {
    await this.attempt(async () => {
      await this.link.enter(code.trim());
      history.replaceState(null, "", `${this.base}/join/${this.link.code}${location.search}`);
    });
  }

  /** Do it, or say why it cannot be done. @param {() => Promise<void>} what */
  async attempt(what) {
    this.say("");
    try {
      await what();
    } catch (error) {
      const lost = error instanceof TypeError;
      this.say(
        lost
          ? word("The server does not answer: check the connection, and try again.")
          : String(/** @type {Error} */ (error).message),
      );
    }
  }

  /** @param {string} sentence */
  say(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
  }

  /** @param {string} poll @param {number} choice */
  async vote(poll, choice) {
    await this.attempt(() => this.link.vote(poll, choice));
    this.drawVote();
  }

  // ------------------------------------------------------------ what comes

  /** @param {Known} known */
  hear(known) {
    const { room } = known.slots;
    this.known = known;
    this.door.hidden = !room?.closed;
    this.inside.hidden = Boolean(room?.closed);
    if (!room || room.closed) {
      this.say(room ? word("The room {code} is closed: ask the presenter for the new code.", { code: room.code }) : "");
      return;
    }
    this.say("");
    this.room.textContent = word("Room {code}", { code: `${room.code.slice(0, 4)} ${room.code.slice(4)}` });
    this.draw();
  }

  async draw() {
    const slots = this.known?.slots ?? {};
    const { moment, poll, stage } = slots;
    if (!moment) return;
    this.drawVote();
    window.specvizVote = poll?.run
      ? { id: poll.id, run: poll.run, round: poll.round, over: poll.state === "resolved" }
      : null;
    if (window.specvizMoment?.version !== moment.version) {
      const since = moment.playing ? Math.max(0, this.link.now() - moment.moved) : 0;
      window.specvizMoment = { ...moment, since, at: performance.now() };
    }
    this.waiting.hidden = Boolean(stage);
    this.stage.hidden = !stage?.run;
    this.lesson.hidden = !stage?.lesson;
    this.look.hidden = !stage || this.hall;
    this.prompt.hidden = this.hall;
    this.look.setAttribute("aria-pressed", String(this.alone));
    if (stage?.lesson) await this.drawLesson(stage);
    else if (stage) await this.drawRun(stage);
    window.dispatchEvent(new CustomEvent(NEWS));
  }

  drawVote() {
    const poll = this.known?.slots.poll ?? null;
    this.votes.show(poll, poll && this.link.voted(poll.id));
  }

  /** @param {Record<string, any>} stage */
  async drawRun(stage) {
    if (stage.whole && this.whole?.run !== stage.run) this.fetchWhole(stage.run);
    const view = this.whole?.run === stage.run && this.whole?.view ? this.whole.view : this.played(stage);
    const given = await this.given;
    const shown = { ...view, title: false, following: !this.alone, talk: this.hall };
    mount({ data: { view: shown, ...given }, parentElement: document });
  }

  /** The run as far as it was played. @param {Record<string, any>} stage @returns {View} */
  played({ run, about, whole: _, ...state }) {
    const rounds = this.known?.logs.rounds ?? [];
    const { covered } = this.known?.slots ?? {};
    const entries = covered ? [...rounds, covered] : rounds;
    const live = about && {
      ...about,
      tokens: Object.assign({}, about.tokens, ...entries.map(({ tokens }) => tokens)),
      rounds: entries.map(({ round }) => round),
      plain_rounds: [],
      ended: {},
    };
    return /** @type {View} */ ({ ...state, id: run, ...(live ? { status: "running", live } : {}) });
  }

  /** @param {string} run */
  async fetchWhole(run) {
    this.whole = { run, view: null };
    await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
    try {
      this.whole = { run, view: await this.link.get("run", { run }) };
      this.draw();
    } catch {
      this.whole = null; // the next message tries again
    }
  }

  /** @param {{ lesson: string, language: string }} stage */
  async drawLesson({ lesson, language }) {
    const wanted = `${lesson} ${language} ${this.alone}`;
    if (this.shown === wanted) return;
    this.shown = wanted;
    await this.attempt(async () => {
      /** @type {LearnData} */
      let data;
      try {
        data = await this.link.get("lesson", { lesson, language });
      } catch (error) {
        if (this.shown === wanted) this.shown = ""; // the next message tries again
        throw error;
      }
      if (this.shown !== wanted) return;
      this.learn ??= new Learn(this.lesson, { go: nothing, share: nothing, tryIt: nothing });
      this.learn.show({ ...(await this.given), ...data, talk: this.hall, room: this.alone ? "alone" : "following" });
    });
  }

  /** @param {boolean} alone */
  lookAround(alone) {
    this.alone = alone;
    if (!alone && window.specvizMoment) window.specvizMoment = { ...window.specvizMoment, version: "" };
    this.look.textContent = alone ? word("Back to the presenter") : word("Look around by myself");
    this.draw();
  }
}

/** In the language of the browser, whose table the server names. */
async function begin() {
  const { words } = document.documentElement.dataset;
  const table = words
    ? await fetch(words)
        .then((answer) => answer.json())
        .catch(nothing)
    : null;
  useWords(table && { language: document.documentElement.lang, table });
  document.title = word("specviz: a room");
  new JoinPage().begin();
}

begin();
