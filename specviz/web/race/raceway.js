// The raceway: all lanes on one clock. Where each race was left is kept across mounts.

/** @import { Course, Looks, Moment, RaceView } from "../shared/types" */

import { el, listenForKeys, setText, takeKeys } from "../shared/dom.js";
import { Bookmarks, Frames, wantsStillness } from "../shared/frames.js";
import { frameWhenReached } from "../shared/keyboard_frame.js";
import { measureRoom } from "./lanes_height.js";
import { RaceControls } from "./race_controls.js";
import { factorFor, laneAt, openingFactor, readCourse, stopBeside } from "./race_course.js";
import { RaceLane } from "./race_lane.js";
import { finishWords, LEGEND, lookWords, outcomeWords } from "./race_text.js";

/** @type {RaceView} */
const NO_RACE = { id: "", race: false, live: false, note: "", hint: "", plain_rate: null, real_time: false, lanes: [] };

/**
 * Where each race was left; `chosen` is the factor that was chosen, null for the default.
 * @type {Bookmarks<{ clock: number, playing: boolean, chosen: number | null }>}
 */
const raceBookmarks = new Bookmarks();

export class Raceway {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Course} */
    this.course = readCourse(NO_RACE);
    /** @type {RaceLane[]} */
    this.boxes = [];
    this.clock = 0;
    this.playing = false;
    /** @type {number | null} */
    this.chosen = null;
    this.factor = 1;
    /**
     * What has been announced, or was true when the clock was moved.
     * @type {Set<string>}
     */
    this.said = new Set();
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.note = el("p", "note");
    this.lanes = el("div", "lanes");
    this.controls = new RaceControls({
      first: () => this.seek(0, true),
      toggle: () => this.toggle(),
      scrub: (share) => this.seek(this.course.span * share),
      factor: (factor) => this.choose(factor),
    });
    this.caption = el("p", "caption", "");
    const saying = el("div", "saying");
    this.legend = el("div", "legend");
    saying.append(this.note, this.legend, this.caption);
    this.spoken = el("p", "unseen", "");
    this.spoken.setAttribute("aria-live", "polite");
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Lanes on one clock");
    root.replaceChildren(this.controls.node, this.lanes, saying, this.spoken);
    listenForKeys(root, (event) => this.onKey(event));
    frameWhenReached(root);
    measureRoom(root);
  }

  // ------------------------------------------------------------ what comes

  /**
   * While lanes are recorded, one after the other, a viewer in real time sees them one after the other; where the clock has waited
   * for the last of them, all start together once more when it is recorded.
   * @param {RaceView} view
   * @param {Looks} looks
   */
  show(view, looks) {
    const course = readCourse(view);
    if (course.id !== this.course.id) {
      this.open(course);
      if (course.live) takeKeys(this.root);
    }
    const together = this.course.live && !course.live && this.playing && this.clock >= this.course.known;
    this.course = course;
    this.root.classList.toggle("talk", Boolean(view.talk));
    while (this.boxes.length < course.lanes.length) this.addBox();
    for (const box of this.boxes.splice(course.lanes.length)) box.node.remove();
    this.root.dataset.lanes = String(course.lanes.length);
    this.root.dataset.race = String(course.race);
    this.explain(looks);
    course.lanes.forEach((lane, i) => {
      this.boxes[i].fit(lane, looks);
    });
    this.factor = this.chosen ?? factorFor(course);
    this.clock = Math.min(this.clock, course.known);
    if (together) this.seek(0, true);
    this.frames.ask();
  }

  /**
   * What the colours of the tokens mean.
   * @param {Looks} looks
   */
  explain(looks) {
    if (this.legend.childElementCount) return;
    for (const how of LEGEND) this.legend.append(el("span", `token ${how}`, lookWords(looks, how)));
  }

  addBox() {
    const box = new RaceLane((how) => setText(this.caption, how));
    this.boxes.push(box);
    this.lanes.append(box.node);
  }

  /**
   * A race seen for the first time plays from its start, in real time where that can be watched; where motion is reduced only one
   * that was just asked for does. One seen before is shown where it was left.
   * @param {Course} course
   */
  open(course) {
    const playing = course.live || !wantsStillness();
    Object.assign(this, raceBookmarks.of(course.id) ?? { clock: 0, playing, chosen: openingFactor(course) });
    this.said = new Set();
    for (const box of this.boxes) box.clear();
    setText(this.caption, "");
    setText(this.spoken, "");
  }

  // ------------------------------------------------------------ the clock

  /**
   * One frame, `passed` seconds after the one before; returns whether another is wanted.
   * @param {number} passed
   */
  tick(passed) {
    if (this.playing) this.clock = Math.min(this.course.known, this.clock + passed / this.factor);
    const atEnd = this.clock >= this.course.known;
    if (atEnd && !this.course.live) this.playing = false;
    this.draw();
    raceBookmarks.keep(this.course.id, { clock: this.clock, playing: this.playing, chosen: this.chosen });
    return this.playing && !atEnd;
  }

  /** @param {number} clock */
  seek(clock, playing = false) {
    this.clock = Math.min(Math.max(0, clock), this.course.known);
    this.playing = playing;
    this.frames.rest();
  }

  toggle() {
    const again = this.clock >= this.course.known && !this.playing;
    this.seek(again ? 0 : this.clock, !this.playing);
  }

  /** @param {number | null} factor */
  choose(factor) {
    this.chosen = factor;
    this.factor = factor ?? factorFor(this.course);
    this.frames.ask();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { key, target } = event;
    if (!(target instanceof Element) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (target.matches("input, select, textarea") || (key === " " && target.tagName === "BUTTON")) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      " ": () => this.toggle(),
      ArrowRight: () => this.seek(stopBeside(this.course, this.clock, 1)),
      ArrowLeft: () => this.seek(stopBeside(this.course, this.clock, -1)),
      Home: () => this.seek(0),
      End: () => this.seek(Infinity),
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const { course, clock } = this;
    setText(this.note, course.note || course.hint);
    const moments = course.lanes.map((lane) => laneAt(course, lane, clock));
    course.lanes.forEach((lane, i) => {
      this.boxes[i].draw(course, lane, moments[i]);
    });
    this.controls.draw(course, clock, this);
    this.announce(moments);
  }

  /** @param {Moment[]} moments */
  announce(moments) {
    const { course } = this;
    /** @type {string[]} */
    const news = [];
    /** @type {Set<string>} */
    const said = new Set();
    /** @type {(what: string, words: () => string) => void} */
    const say = (what, words) => {
      if (!this.said.has(what)) news.push(words());
      said.add(what);
    };
    course.lanes.forEach((lane, i) => {
      const now = moments[i];
      if (now.finished) say(`finished ${i}`, () => finishWords(course, lane, now));
      if (now.gap?.final) say(`outcome ${i}`, () => outcomeWords(course, lane, now));
    });
    if (news.length) setText(this.spoken, news.join(" "));
    this.said = said;
  }
}
