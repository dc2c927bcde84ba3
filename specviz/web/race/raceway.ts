// The raceway: all lanes on one clock. Where each race was left is kept across mounts.

import { Leading, NEWS, passedSince } from "../classroom/lead_room.ts";
import { el, listenForKeys, named, SLIDER_KEYS, setText, takeKeys } from "../shared/dom.ts";
import { Frames, wantsStillness } from "../shared/frames.ts";
import type { Looks } from "../shared/json_types.ts";
import { frameWhenReached } from "../shared/keyboard_frame.ts";
import { saidLooks, textOnPage, word } from "../shared/words.ts";
import { measureRoom } from "./lanes_height.ts";
import { RaceAxis } from "./race_axis.ts";
import { RaceControls } from "./race_controls.ts";
import { factorFor, laneAt, type Moment, openingFactor, stopBeside } from "./race_course.ts";
import { RaceLane } from "./race_lane.ts";
import { type Course, readCourse } from "./race_reading.ts";
import { BLOCK, finishWords, LEGEND, lookWords, outcomeWords, STILL } from "./race_text.ts";
import type { RaceView } from "./race_types.ts";

const NO_RACE: RaceView = {
  id: "",
  race: false,
  live: false,
  note: "",
  hint: "",
  plain_rate: null,
  real_time: false,
  lanes: [],
};

/** Where each race was left; `chosen` is the factor that was chosen, null for the default. */
const raceBookmarks: Map<string, { clock: number; playing: boolean; chosen: number | null }> = new Map();

export class Raceway {
  root: HTMLElement;
  frames: Frames;
  course: Course = readCourse(NO_RACE);
  boxes: RaceLane[] = [];
  clock = 0;
  playing = false;
  chosen: number | null = null;
  factor = 1;
  /** What has been announced, or was true when the clock was moved. */
  said: Set<string> = new Set();
  /** What was announced since a viewer moved the clock: a race that starts together once more does not say it again. */
  heard: Set<string> = new Set();
  note = el("p", "note");
  lanes = el("div", "lanes");
  controls = new RaceControls({
    toggle: () => this.toggle(),
    factor: (factor) => this.choose(factor),
  });
  axis = new RaceAxis((share) => this.seek(this.course.span * share));
  caption = el("p", "caption", "");
  spoken = el("p", { class: "unseen", "aria-live": "polite" }, "");
  leading = new Leading();
  /** The version of the presenter's moment that is shown. */
  followed = "";

  constructor(root: HTMLElement) {
    this.root = root;
    this.frames = new Frames(root, (passed) => this.tick(passed));
    const saying = el("div", "saying", this.note, this.caption);
    root.tabIndex = 0;
    named(root, "region", word("Lanes on one clock"));
    root.replaceChildren(this.controls.node, this.lanes, this.axis.node, saying, this.spoken);
    listenForKeys(root, (event) => this.onKey(event));
    window.addEventListener(NEWS, () => this.follow());
    frameWhenReached(root);
    measureRoom(root);
  }

  // ------------------------------------------------------------ what comes

  /**
   * While lanes are recorded, one after the other, a viewer in real time sees them one after the other; where the clock has waited
   * for the last of them, all start together once more when it is recorded. Where motion is reduced the picture shows what is recorded.
   */
  show(view: RaceView, given: Looks) {
    const looks = saidLooks(given);
    const course = readCourse(view);
    if (course.id !== this.course.id) {
      this.open(course);
      if (course.live) takeKeys(this.root);
    }
    const waited = this.clock >= this.course.known;
    const together = this.course.live && !course.live && this.playing && waited;
    this.course = course;
    this.leading.to(view.lead ?? null);
    this.controls.node.inert = this.axis.node.inert = Boolean(view.following);
    this.root.classList.toggle("talk", Boolean(view.talk));
    while (this.boxes.length < course.lanes.length) {
      const box = new RaceLane((how) => setText(this.caption, how));
      this.boxes.push(box);
      this.lanes.append(box.node);
    }
    for (const box of this.boxes.splice(course.lanes.length)) box.node.remove();
    this.root.dataset.lanes = String(course.lanes.length);
    this.root.dataset.race = String(course.race);
    this.explain(looks);
    course.lanes.forEach((lane, i) => {
      this.boxes[i].fit(lane, looks);
    });
    this.factor = this.chosen ?? factorFor(course);
    this.clock = waited && wantsStillness() && !this.playing ? course.known : Math.min(this.clock, course.known);
    const { heard } = this;
    if (together) this.seek(0, true);
    this.heard = heard;
    this.follow();
    this.frames.ask();
  }

  /** Where it is, for `Leading`. */
  moment() {
    const { clock, playing, factor, course } = this;
    return { there: { run: course.id, clock, playing, factor }, rate: 1 / factor, end: course.known };
  }

  /** Go where the presenter is. */
  follow() {
    const now = window.specvizMoment;
    const { course, root } = this;
    if (!course.following || !root.isConnected || now?.run !== course.id || now.version === this.followed) return;
    this.followed = now.version;
    this.choose(now.factor);
    this.seek(now.clock + passedSince(now) / now.factor, now.playing);
    this.unfold(!now.playing && this.clock >= course.known);
  }

  /** What a block of a bar and the colours of the tokens mean. */
  explain(looks: Looks) {
    const { legend } = this.controls;
    if (legend.childElementCount) return;
    const block = el("span", "of-block", el("i", "block", ""), word(BLOCK));
    legend.append(block);
    for (const how of LEGEND) legend.append(el("span", `token ${how}`, lookWords(looks, how)));
  }

  /**
   * A race plays from its start, in real time where that can be watched; one that was left in the middle is shown where it was left.
   * Where motion is reduced it is shown finished.
   */
  open(course: Course) {
    const left = raceBookmarks.get(course.id);
    const still = wantsStillness();
    const start = {
      clock: still ? course.known : 0,
      playing: !still,
      chosen: left ? left.chosen : openingFactor(course),
    };
    Object.assign(this, left && left.clock < course.known ? left : start);
    this.said = new Set();
    this.heard = new Set();
    for (const box of this.boxes) box.clear();
    setText(this.caption, "");
    setText(this.spoken, "");
  }

  // ------------------------------------------------------------ the clock

  /** One frame, `passed` seconds after the one before; returns whether another is wanted. */
  tick(passed: number) {
    if (this.playing) this.clock = Math.min(this.course.known, this.clock + passed / this.factor);
    const atEnd = this.clock >= this.course.known;
    if (this.playing && atEnd && !this.course.live) this.unfold(true);
    if (atEnd && !this.course.live) this.playing = false;
    this.draw();
    this.leading.look(() => this.moment());
    raceBookmarks.set(this.course.id, { clock: this.clock, playing: this.playing, chosen: this.chosen });
    return this.playing && !atEnd;
  }

  /** At the end of a race that was played every lane shows its whole text, its lines one after the other, so that the texts can be compared. */
  unfold(on: boolean) {
    this.root.classList.toggle("over", on);
  }

  seek(clock: number, playing = false) {
    this.unfold(false);
    this.heard = new Set();
    this.clock = Math.min(Math.max(0, clock), this.course.known);
    this.playing = playing;
    this.frames.rest();
  }

  toggle() {
    const again = this.clock >= this.course.known && !this.playing;
    this.seek(again ? 0 : this.clock, !this.playing);
  }

  choose(factor: number | null) {
    this.chosen = factor;
    this.factor = factor ?? factorFor(this.course);
    this.frames.ask();
  }

  onKey(event: KeyboardEvent) {
    const { key, target } = event;
    if (this.course.following || !(target instanceof Element) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (target.matches("select, textarea") || (target.matches("input") && SLIDER_KEYS.includes(key))) return;
    if (key === " " && target.tagName === "BUTTON") return;
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowRight: () => this.seek(stopBeside(this.course, this.clock, 1)),
      ArrowLeft: () => this.seek(stopBeside(this.course, this.clock, -1)),
      Home: () => this.seek(0),
      End: () => {
        this.seek(Infinity);
        this.unfold(true);
      },
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const { course, clock } = this;
    const still = wantsStillness() && !course.live && clock >= course.known;
    setText(this.note, [textOnPage(course.note || course.hint), still ? word(STILL) : ""].join(" ").trim());
    const moments = course.lanes.map((lane) => laneAt(course, lane, clock));
    course.lanes.forEach((lane, i) => {
      this.boxes[i].draw(course, lane, clock, moments[i]);
    });
    this.controls.draw(course, clock, this);
    this.axis.draw(course, clock);
    this.announce(moments);
  }

  announce(moments: Moment[]) {
    const { course } = this;
    const news: string[] = [];
    const said = new Set<string>();
    const say: (what: string, words: () => string) => void = (what, words) => {
      if (!this.said.has(what) && !this.heard.has(what)) news.push(words());
      this.heard.add(what);
      said.add(what);
    };
    course.lanes.forEach((lane, i) => {
      const now = moments[i];
      if (now.finished) say(`finished ${i}`, () => finishWords(course, lane, now));
      if (now.gap?.final && lane.judged) say(`outcome ${i}`, () => outcomeWords(course, lane, now));
    });
    if (news.length) setText(this.spoken, news.join(" "));
    this.said = said;
  }
}
