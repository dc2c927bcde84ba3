// The stage: shows what a run is at this moment of the viewer's clock, and what the viewer has opened.

import { Leading, NEWS } from "../classroom/lead_room.ts";
import { follow, holdBack, momentOf, showVote, votedOn } from "../classroom/presenter_moment.ts";
import { captionAt } from "../opening/duel_words.ts";
import { remember, remembered } from "../shared/browser_storage.ts";
import { setText, takeKeys } from "../shared/dom.ts";
import { NOBODY } from "../shared/drafter_text.ts";
import { Frames, wantsStillness } from "../shared/frames.ts";
import type { PaceName, PlayerContext, View } from "../shared/json_types.ts";
import type { Position } from "../shared/phases.ts";
import { readRun } from "../shared/read_recording.ts";
import { slotAt, wallOf } from "../shared/round.ts";
import type { Run, Slot } from "../shared/run_types.ts";
import { english, saidLooks, word } from "../shared/words.ts";
import { clockOfMoment } from "./moment_clock.ts";
import { Playhead } from "./playhead.ts";
import { PACES } from "./schedule.ts";
import { StageParts } from "./stage_parts.ts";
import { captionOf, explanationOf, noteOf } from "./stage_text.ts";
import type { Focus } from "./why_drawer.ts";

/** What a stage that goes with the presenter's leaves out: it would leave the presenter without a word. */
const WITH_PRESENTER = ["transport", "pace", "predict"];

/** What a browser keeps of how its visitor wants to see runs: as rounds, or as two lanes. */
const STORED = "specviz-stage";
const ROUNDS = "rounds";

/** A recording that was opened or saved is shown round by round: only what a visitor began is shown as two lanes. */
const RECORDED = ["opened", "exported"];

const UNDER_WAY = ["queued", "loading", "running"];

const NO_VIEW: View = { id: "", status: "opened" };
const NOTHING_GIVEN: PlayerContext = { looks: {}, drafters: {} };

const FASTER = english("And so on, faster: guess, check, keep what is right.");
const STILL = english(
  "Nothing moves by itself here, as your system asks: press Play, or the right arrow for the next round.",
);

/** Where each run was left. */
const bookmarks: Map<string | null, { clock: number; playing: boolean; pace: PaceName }> = new Map();

/** A sentence of more characters is set smaller, so that it fits into the lines that are kept for it. */
const LONG = 90;

/** So narrow a stage has no margin beside its page: the width at which its style changes for a phone. */
const SLIM_PX = 760;

export class Stage {
  root: HTMLElement;
  frames: Frames;
  parts: StageParts;
  view: View = NO_VIEW;
  given: PlayerContext = NOTHING_GIVEN;
  run: Run = readRun(NO_VIEW, NOTHING_GIVEN);
  head = new Playhead(this.run, (from, to) => this.parts.bets.waitBetween(this.run, this.head.plan, from, to));
  pointed: Slot | null = null;
  how: string | null = null;
  focus: Focus | null = null;
  hidden: string[] = [];
  /** Whether a question about this round is open: what answers it stays covered until its verdict. */
  asks = false;
  /** Whether a lesson holds it at the moment of its sentence. */
  ofLesson = false;
  presented = false;
  /** Whether the viewer chose to see the round as cards; null where the pace decides. */
  chosen: boolean | null = null;
  withRounds = false;
  /** The draft length under the hand, while the page's slider for it is open. */
  length: number | null = null;
  /** Whether the viewer chose to see runs round by round. */
  asRounds = remembered(STORED) === ROUNDS;
  titled = false;
  /** The round that was shown last. */
  seen = -1;
  leading = new Leading();
  /** Begins or ends a vote, where this stage leads a room. */
  vote: (() => void) | null = null;
  voted = "";
  /** The version of the presenter's moment that is shown. */
  followed = "";
  fitted = false;

  constructor(root: HTMLElement) {
    this.root = root;
    window.addEventListener(NEWS, () => this.followPresenter());
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.parts = new StageParts(root, this);
    new ResizeObserver(([{ contentRect }]) => {
      this.fit(contentRect.width);
      this.frames.ask();
    }).observe(root);
  }

  fit(width: number) {
    this.fitted = true;
    this.root.classList.toggle("slim", width <= SLIM_PX);
  }

  redraw() {
    this.frames.ask();
  }

  // ------------------------------------------------------------ what comes

  show(view: View, context: PlayerContext) {
    const looks = saidLooks(context.looks);
    this.given = { ...context, looks };
    this.view = view;
    this.parts.desk.wear(looks);
    this.parts.why.looks = looks;
    this.root.classList.toggle("talk", Boolean(view.talk));
    this.presented = Boolean(view.talk) || view.status === "exported";
    this.hidden = [
      ...(view.hide ?? []),
      ...(view.following ? WITH_PRESENTER : []),
      ...(this.ofLesson ? ["cards"] : []),
    ];
    this.parts.hide(this.hidden);
    this.parts.help.lead(Boolean(this.vote));
    const run = withWhatWasShown(readRun(view, context), this.run);
    const extent = ({ rounds, complete }: Run) => `${rounds.length} ${Boolean(rounds.at(-1)?.covered)} ${complete}`;
    if (extent(run) !== extent(this.run)) this.followed = ""; // there is more to follow to
    if (run.id !== this.run.id) {
      this.open(run);
      if (UNDER_WAY.includes(view.status)) takeKeys(this.root);
    } else if (run.rounds.length) this.head.extend(run);
    this.run = run;
    this.parts.manuscript.fill(run);
    this.followPresenter();
    this.redraw();
  }

  followPresenter() {
    if (this.view.leading) showVote(this);
    this.redraw();
    const moment = window.specvizMoment;
    if (!this.view.following || !moment || moment.version === this.followed || !this.root.isConnected) return;
    if (follow(this, moment)) this.followed = moment.version;
  }

  /**
   * A run seen for the first time plays from its start, unless it opens on its title, at a moment, or less motion is asked for; one seen
   * before is shown where it was left.
   */
  open(run: Run, pace?: PaceName) {
    const bookmark = bookmarks.get(run.id);
    const { begin, at } = this.view;
    this.titled = Boolean(this.view.title) && !bookmark && !at && !this.hidden.includes("title");
    const led = begin?.run === run.id ? { clock: begin.clock, playing: false, pace: begin.pace } : null;
    const state = bookmark ?? led ?? { clock: 0, playing: !this.titled && !wantsStillness(), pace: this.head.pace };
    this.head.open(run, { ...state, pace: pace ?? state.pace });
    if (at && !bookmark) this.head.seek(clockOfMoment(run, this.head.plan, at));
    this.run = run;
    this.pointed = null;
    this.focus = null;
    this.parts.spoken.clear();
    this.parts.bets.clear();
    this.parts.end.closed = false;
    this.parts.manuscript.clear();
  }

  // ------------------------------------------------------------ the clock

  /** One frame, `passed` seconds after the one before; returns whether another is wanted. */
  tick(passed: number) {
    if (!this.fitted) this.fit(this.root.clientWidth); // before the first frame is painted
    const { head } = this;
    if (head.playing) head.advance(passed);
    holdBack(this);
    const underWay = UNDER_WAY.includes(this.view.status) && !this.run.complete;
    const { atEnd, position } = head;
    if (atEnd && !underWay) head.playing = false;
    if (position.index !== this.seen) this.pointed = null;
    this.seen = position.index;
    const more = this.paired && this.parts.pair.advance(this.run, position, passed);
    this.draw(position);
    this.leading.look(() => momentOf(this));
    if (!this.titled) bookmarks.set(this.run.id, { clock: head.clock, playing: head.playing, pace: head.pace });
    return more || (head.playing && !atEnd);
  }

  /** Move the clock, and draw. */
  move(how: (head: Playhead) => void) {
    this.leaveTitle();
    this.parts.end.closed = false;
    how(this.head);
    this.frames.rest();
  }

  /** What the viewer does to the clock; nothing where somebody else holds it: the presenter, or a lesson without controls. */
  turn(how: (head: Playhead) => void) {
    if (!this.held) this.move(how);
  }

  /** A step of the viewer's. The last round is read before the card at the end covers it: one more step shows the card. */
  step(how: (head: Playhead) => void) {
    const { atEnd } = this.head;
    this.turn(how);
    this.parts.end.closed = !atEnd;
  }

  /** Play or pause; key by key it is a step. */
  togglePlay() {
    if (PACES[this.head.pace].byHand) this.step((head) => head.toggle());
    else this.turn((head) => head.toggle());
  }

  get held() {
    return Boolean(this.view.following) || (this.ofLesson && this.hidden.includes("transport"));
  }

  leaveTitle() {
    this.titled = false;
    this.redraw();
  }

  // ------------------------------------------------------------ what the viewer may open

  /** The drawer for a slot of a round: of the one on the desk (null), or of another, which is shown first. */
  openWhy(index: number | null, slot: Slot) {
    this.asRounds = true;
    const there = index === null || index === this.head.position.index;
    if (this.hidden.includes("why") || (this.held && !there)) return;
    this.turn((head) => head.seek(index === null ? head.clock : head.endOfRound(index)));
    this.focus = { index: index ?? this.head.position.index, slot };
    this.redraw();
  }

  /** The drawer as a viewer opens it: with the focus. */
  askWhy(index: number | null, slot: Slot) {
    this.openWhy(index, slot);
    this.parts.why.summoned = Boolean(this.focus);
  }

  closeWhy() {
    this.focus = null;
    this.redraw();
  }

  /** The drawer for the most important slot of this round: the rejected token, else the target's own, else the first. */
  toggleWhy() {
    if (this.focus) {
      this.closeWhy();
      return;
    }
    const { position } = this.head;
    const round = this.run.rounds[position.index];
    if (!round) return;
    const wall = wallOf(round);
    if (wall >= 0 && slotAt(round, position, wall).judged) this.askWhy(null, wall);
    else if (position.landed && round.closing) this.askWhy(null, "closing");
    else if (position.typed) this.askWhy(null, 0);
  }

  togglePredict() {
    this.parts.bets.on = !this.parts.bets.on;
    if (this.parts.bets.on) this.parts.bets.clear();
    this.parts.predictChip.setAttribute("aria-pressed", String(this.parts.bets.on));
    this.redraw();
  }

  /** Whether the round is on the desk as cards, to compare pair by pair; otherwise it happens in the text. */
  get cards() {
    return this.ofLesson || (this.chosen ?? Boolean(PACES[this.head.pace].byHand));
  }

  toggleCards() {
    this.chosen = this.paired || !this.cards;
    this.asRounds = true;
    this.redraw();
  }

  /** Whether the run is shown as two lanes, in the picture of the opening. */
  get paired() {
    const { paired, talk, status } = this.view;
    const whole = !talk && !this.titled && !RECORDED.includes(status) && this.run.drafterText.name !== NOBODY;
    return Boolean(paired) && whole && !this.asRounds;
  }

  /** Show runs round by round, from the moment that is shown, or as two lanes again; the browser keeps it. */
  showRounds(on: boolean) {
    this.asRounds = on;
    remember(STORED, on ? ROUNDS : "");
    if (on) this.turn((head) => head.seek(head.clock));
    this.frames.rest();
  }

  toggleRounds() {
    this.withRounds = !this.withRounds;
    this.parts.manuscript.node.classList.toggle("with-rounds", this.withRounds);
  }

  /** Show the run cut into passes for another draft length, null to show it as it is. */
  preview(k: number | null) {
    this.length = k;
    this.frames.ask();
  }

  point(slot: Slot | null) {
    this.pointed = slot;
    this.redraw();
  }

  /** A sentence instead of the caption; null gives the caption back. */
  say(sentence: string | null) {
    this.how = sentence;
    this.redraw();
  }

  /** Whether what the target would write stays covered until its verdict: it is predicted, asked about, or voted on. */
  covers() {
    const open = Boolean(this.run.rounds[this.head.position.index]?.covered);
    return open || this.asks || votedOn(this) || (this.parts.bets.on && !this.run.branching);
  }

  /** The position as far as it may be known of a slot: of one that is covered, as if the target had not read it. */
  known(slot: Slot) {
    const { position } = this.head;
    const round = this.run.rounds[position.index];
    const open = round && slot !== "closing" && this.covers() && !slotAt(round, position, slot).judged;
    return open ? { ...position, swept: false } : position;
  }

  draw(position: Position) {
    const { run, parts, head, view } = this;
    this.root.classList.toggle("brisk", head.hurries(position));
    const note = noteOf(run, view);
    setText(parts.note, note);
    const together = view.talk || view.leading || view.following;
    parts.note.hidden = Boolean(together) && run.rounds.length > 0;
    parts.title.cover(this.titled);
    this.root.classList.toggle("titled", this.titled);
    if (this.titled) parts.title.draw(run, note);
    this.root.classList.toggle("paired", this.paired);
    parts.recut.draw(run, this.length);
    parts.pairChip.hidden = !view.paired || RECORDED.includes(view.status);
    setText(parts.pairChip, this.paired ? word("Round by round (space)") : word("Two lanes"));
    const pair = this.paired ? parts.pair.draw(run, position) : null;
    if (!pair) this.drawRound(position);
    const covered = !pair && this.covers();
    parts.transport.draw(head, position, covered ? position.index - (position.landed ? 0 : 1) : Infinity);
    parts.caption.hidden = !pair && !head.playing && parts.bets.asks(head, position);
    const brief = head.hurries(position) || position.ended || !run.rounds.length || head.clock === 0;
    const sentence = pair && !brief ? captionAt(run, pair) : this.sentence(position);
    setText(parts.caption, sentence);
    parts.caption.classList.toggle("long", sentence.length > LONG);
    this.drawEnd(position, pair?.closed);
    const asks = !pair && !head.playing && parts.bets.asks(head, position) ? parts.bets.words.textContent : "";
    const begins = UNDER_WAY.includes(view.status) && !run.rounds.length ? word("Running") : "";
    const words = { now: asks || begins, first: pair ? "" : parts.bets.outcome(position), end: parts.end.spoken };
    if (!head.hurries(position)) parts.spoken.draw(run, this.given.looks, position, words);
  }

  /** A round: text and desk, the lanes of its times, and what the viewer opened or predicts. */
  drawRound(position: Position) {
    const { run, parts, head } = this;
    parts.dial.draw(run, position);
    const paged = !this.cards;
    parts.layOut(this.root, paged);
    const covered = this.covers();
    parts.desk.draw(run, position, { covered, paged });
    const tree = !parts.desk.tree.node.hidden;
    parts.manuscript.draw(run, position, { paged, tree, looks: this.given.looks });
    const [from, to] = [parts.desk.ownToken(run.rounds[position.index]), parts.manuscript.lastToken];
    parts.flight.draw(run, head.plan, position, { root: this.root, from, to });
    parts.lanes.draw(run, position, { theme: this.root.dataset.theme, predicting: covered });
    if (this.focus && this.focus.index !== position.index) this.focus = null;
    parts.why.draw(run, this.focus ? this.known(this.focus.slot) : position, this.focus);
    parts.why.placeAt(this.root, paged ? parts.placeOf(run, this.focus) : undefined);
    parts.bets.draw(head, position);
  }

  /** The card at the end of a run that is over, unless something else was opened there. */
  drawEnd(position: Position, closed = true) {
    const { end, upper, desk, speech, transport } = this.parts;
    const coveredBy = this.titled || this.held || this.focus || !closed;
    const ended = position.ended && this.run.over && !coveredBy && !this.ofLesson && !this.hidden.includes("end");
    setText(end.shut, this.paired ? word("Round by round") : word("Last round"));
    const [over, until] = this.paired ? [[speech], transport.node] : [[upper, desk.node], speech];
    end.draw(this.run, this.given, { ended, able: this.view.able ?? [], over, until });
  }

  sentence(position: Position) {
    if (this.how) return this.how;
    const still = this.run.rounds.length && this.head.clock === 0 && !this.head.playing && wantsStillness();
    if (still && !this.hidden.includes("transport")) return word(STILL);
    if (this.head.hurries(position)) return word(FASTER);
    const pointed = this.pointed === null ? null : explanationOf(this.run, this.known(this.pointed), this.pointed);
    return pointed ?? this.parts.bets.outcome(position) + captionOf(this.run, position);
  }
}

/** A run as it is known now. What was shown of it stays where nothing of its rounds is known any more: the server has forgotten it. */
function withWhatWasShown(run: Run, shownRun: Run): Run {
  if (run.id !== shownRun.id || run.rounds.length || !shownRun.rounds.length) return run;
  return { ...shownRun, status: run.status, over: run.over };
}
