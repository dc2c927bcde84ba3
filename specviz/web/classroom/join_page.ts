// The page of somebody in the audience of a room: the presenter's stage, race or lesson, the vote, and a box for prompts. It has no server of its own.

import { Learn } from "../lessons/learn.ts";
import type { LearnData } from "../lessons/lesson_types.ts";
import { holdPresses } from "../page/hold_press.ts";
import { mount } from "../player/mount_player.ts";
import { raceOf } from "../race/race_reading.ts";
import { Raceway } from "../race/raceway.ts";
import { button, el, onOtherColours, setText, themeOf } from "../shared/dom.ts";
import type { Json, PlayerContext, Round, View } from "../shared/json_types.ts";
import type { LiveState } from "../shared/live_events.ts";
import type { RoundLog } from "../shared/live_run.ts";
import { useWords, word } from "../shared/words.ts";
import { NEWS } from "./lead_room.ts";
import { RoomLink } from "./room_link.ts";
import { voteBox } from "./vote_box.ts";

const CODE = /\/join\/([^/]+)\/?$/;
/** Phones fetch a run that was shown to its end within so long, not all at once. */
const SPREAD_MS = 2000;
/** In a hall letters grow with the window, as on the presenter's page. */
const LARGE = "max(16px, min(1.25vw, 2.22223vh))";
const nothing = () => {};

class JoinPage {
  base: string;
  given: Promise<PlayerContext>;
  link: RoomLink;
  door = this.doorOf();
  prompt = this.promptOf();
  /** Whether it is the window for the projector: large type, and nothing that a hall cannot press. */
  hall = new URLSearchParams(location.search).get("hall") === "1";
  alone = false;
  /** What is on the presenter's stage, as it was shown last. */
  shown = "";
  whole: { run: string; view: View | null } | null = null;
  known: LiveState | null = null;
  learn: Learn | null = null;
  problem = el("p", { class: "join-problem", role: "alert", hidden: true }, "");
  room = el("span", "join-room", "");
  votes = voteBox((poll, choice) => this.vote(poll, choice));
  stage = el("div", "stage");
  lesson = el("div", "learn");
  /** Its style is another one than the stage's: it has a shadow of its own. */
  lanes = el("div", "");
  raceway: Raceway | null = null;
  joined: RoundLog[] = [];
  waiting = el("p", "join-waiting", word("The presenter has nothing on the stage yet: it appears here by itself."));
  look = button("join-look", word("Look around by myself"), () => this.lookAround(!this.alone));
  inside = el("main", { class: "join-inside", hidden: true });

  constructor() {
    holdPresses();
    const { base = "", given = "" } = document.documentElement.dataset;
    this.base = base;
    this.given = fetch(given).then((answer) => answer.json());
    const heard = { tell: (known: LiveState) => this.hear(known), refused: (sentence: string) => this.say(sentence) };
    this.link = new RoomLink(base, heard, this.hall);
    document.documentElement.classList.toggle("hall", this.hall);
    if (this.hall) document.documentElement.style.fontSize = LARGE;
    const head = el("header", "join-head", el("strong", "join-name", "specviz"), this.room);
    this.inside.append(this.votes.node, this.waiting, this.stage, this.lesson, this.lanes, this.look, this.prompt);
    document.body.replaceChildren(head, this.problem, this.door, this.inside);
    const code = CODE.exec(location.pathname)?.[1]; // without one in the address it is asked for
    if (code) this.enter(decodeURIComponent(code));
    onOtherColours(() => {
      this.shown = "";
      this.draw();
    });
  }

  doorOf() {
    const typing = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false" };
    const box = el("input", { class: "join-code", name: "code", maxlength: 20, ...typing });
    const label = el("label", "", word("Code on the presenter’s screen"), box);
    return formOf("join-door", [label, el("button", "join-button", word("Join"))], () => this.enter(box.value));
  }

  promptOf() {
    const box = el("input", { class: "join-text", maxlength: 500 });
    const label = el("label", "", word("A prompt for the presenter"), box);
    const said = el("span", { class: "join-sent", role: "status" }, "");
    box.addEventListener("input", () => setText(said, ""));
    return formOf("join-prompt", [label, el("button", "join-button", word("Send¦prompt")), said], () =>
      this.attempt(async () => {
        await this.link.send(box.value);
        box.value = "";
        setText(said, word("Sent: the presenter sees it now."));
      }),
    );
  }

  async enter(code: string) {
    await this.attempt(async () => {
      await this.link.enter(code.trim());
      history.replaceState(null, "", `${this.base}/join/${this.link.code}${location.search}`);
    });
  }

  /** Do it, or say why it cannot be done. */
  async attempt(what: () => Promise<void>) {
    this.say("");
    try {
      await what();
    } catch (error) {
      const away = word("The server does not answer: check the connection, and try again.");
      this.say(error instanceof TypeError ? away : String((error as Error).message));
    }
  }

  say(sentence: string) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
  }

  async vote(poll: string, choice: number) {
    await this.attempt(() => this.link.vote(poll, choice));
    this.drawVote();
  }

  // ------------------------------------------------------------ what comes

  hear(known: LiveState) {
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
    this.lanes.hidden = !stage?.race;
    this.look.hidden = !stage || this.hall;
    this.prompt.hidden = this.hall;
    this.look.setAttribute("aria-pressed", String(this.alone));
    if (stage?.lesson) await this.drawLesson(stage);
    else if (stage?.race) await this.drawRace(stage.race);
    else if (stage) await this.drawRun(stage);
    window.dispatchEvent(new CustomEvent(NEWS));
  }

  drawVote() {
    const poll = this.known?.slots.poll ?? null;
    this.votes.show(poll, poll && this.link.voted(poll.id));
  }

  async drawRace(id: string) {
    const { looks } = await this.given;
    this.raceway ??= this.racewayOf();
    this.raceway.root.dataset.theme = themeOf(this.raceway.root);
    const view = raceOf(this.known?.slots.race, this.known as LiveState, this.joined);
    this.raceway.show({ ...view, id, talk: this.hall, following: !this.alone }, looks);
  }

  racewayOf() {
    const root = el("div", "stage race");
    const { race = "" } = document.documentElement.dataset;
    this.lanes.attachShadow({ mode: "open" }).append(el("link", { rel: "stylesheet", href: race }), root);
    return new Raceway(root);
  }

  async drawRun(stage: Record<string, Json>) {
    if (stage.whole && this.whole?.run !== stage.run) this.fetchWhole(stage.run);
    const view = this.whole?.run === stage.run && this.whole?.view ? this.whole.view : this.played(stage);
    const given = await this.given;
    const shown = {
      ...view,
      title: false,
      following: !this.alone,
      talk: this.hall,
      ...(this.hall && { hide: ["cards", "keys"] }),
    };
    mount({ data: { view: shown, ...given }, parentElement: document });
  }

  /** The run as far as it was played. */
  played({ run, about, whole: _, ...state }: Record<string, Json>): View {
    const { rounds = [], plain = [] } = this.known?.logs ?? {};
    const { covered } = this.known?.slots ?? {};
    const entries = covered ? [...rounds, covered] : rounds;
    const live = about && {
      ...about,
      tokens: Object.assign({}, about.tokens, ...entries.map(({ tokens }) => tokens)),
      rounds: entries.map(({ round }) => round),
      plain_rounds: plain.map(plainRound),
      ended: {},
    };
    return { ...state, id: run, ...(live ? { status: "running", live } : {}) } as View;
  }

  async fetchWhole(run: string) {
    this.whole = { run, view: null };
    await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
    try {
      this.whole = { run, view: await this.link.get("run", { run }) };
      this.draw();
    } catch {
      this.whole = null; // the next message tries again
    }
  }

  async drawLesson({ lesson, language }: { lesson: string; language: string }) {
    const wanted = `${lesson} ${language} ${this.alone}`;
    if (this.shown === wanted) return;
    this.shown = wanted;
    await this.attempt(async () => {
      const asked = this.link.get("lesson", { lesson, language, talk: this.hall ? "1" : "" });
      asked.catch(() => {
        if (this.shown === wanted) this.shown = ""; // the next message tries again
      });
      const data: LearnData = await asked;
      if (this.shown !== wanted) return;
      this.learn ??= new Learn(this.lesson, { go: nothing, share: nothing, tryIt: nothing });
      this.learn.show({ ...(await this.given), ...data, room: this.alone ? "alone" : "following" });
    });
  }

  lookAround(alone: boolean) {
    this.alone = alone;
    if (!alone && window.specvizMoment) window.specvizMoment = { ...window.specvizMoment, version: "" };
    this.look.textContent = alone ? word("Back to the presenter") : word("Look around by myself");
    this.draw();
  }
}

function formOf(kind: string, parts: HTMLElement[], submit: () => void) {
  const form = el("form", kind, ...parts);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}

/** A token of plain decoding of which nothing but its time is known. */
function plainRound(ended_s: number, start: number): Round {
  const closing = { token: 0, how: "own", draw: null } as const;
  const times = { began_s: ended_s, draft_s: 0, verify_s: 0, ended_s };
  return { start, drafted: [], accepted: [], closing, ...times };
}

/** In the language of the browser, whose table the server names. */
async function begin() {
  const { dataset, lang: language } = document.documentElement;
  const asked = dataset.words ? fetch(dataset.words).then((answer) => answer.json()) : null;
  const table = await asked?.catch(nothing);
  useWords(table && { language, table });
  document.title = word("specviz: a room");
  new JoinPage();
}

begin();
