// The stage: shows whatever timeline.js says of this moment. State lives beside the component's element, and by run
// id across mounts.

const stages = new WeakMap();
const places = new Places();
const UNDER_WAY = ["queued", "loading", "running"];
const PACE_ORDER = ["hand", "slow", "lesson", "quick", "real"];

class Stage {
  constructor(root) {
    this.root = root;
    this.run = this.real = { id: null, rounds: [], totals: [ZERO], plainEnds: [] };
    this.what = null;
    this.pace = "lesson";
    this.plan = schedule(this.run, this.pace);
    this.clock = 0;
    this.playing = false;
    this.until = null;
    this.pointed = null;
    this.how = null;
    this.focus = null;
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.bets = new Bets(() => this.goOn());
    this.build();
  }

  build() {
    const root = this.root;
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Speculative decoding, round by round");
    this.note = el("p", "note");
    this.dial = new Dial((how) => this.say(how));
    this.manuscript = new Manuscript((index, place) => this.openWhy(index, place));
    this.why = new Why(() => this.closeWhy());
    const upper = el("div", "upper");
    upper.append(this.dial.node, this.manuscript.node, this.why.node);
    this.desk = new Desk({
      point: (place) => {
        this.pointed = place;
        this.frames.ask();
      },
      open: (place) => this.openWhy(null, place),
    });
    this.caption = el("p", "caption", "");
    this.spoken = el("p", "unseen", "");
    this.spoken.setAttribute("aria-live", "polite");
    this.lanes = new Lanes((seconds) => this.seekOn(clockAtEngine(this.run, this.plan, seconds)));
    this.transport = new Transport({
      first: () => this.seek(0),
      back: () => this.step(-1),
      phaseBack: () => this.phase(-1),
      toggle: () => this.toggle(),
      phaseOn: () => this.phase(1),
      next: () => this.step(1),
      rejection: () => this.rejection(1),
      last: () => this.seekOn(this.plan.end),
      scrub: (share) => this.seekOn(this.plan.end * share),
      pace: (name) => this.setPace(name),
    });
    this.whatIf = new WhatIf((k) => this.ask(k));
    this.help = new Help();
    const speech = el("div", "speech");
    speech.append(this.caption, this.bets.node, this.whatIf.node, this.buildChips());
    root.replaceChildren(this.note, upper, this.desk.node, speech, this.lanes.node, this.transport.node, this.help.node, this.spoken);
    listenForKeys(root, (event) => hearKey(this, event));
    new ResizeObserver(() => this.frames.ask()).observe(root);
  }

  buildChips() {
    const chips = el("div", "chips");
    const chip = (name, text, label, act) => {
      const node = el("button", `chip ${name}`, text);
      node.type = "button";
      node.title = label;
      node.addEventListener("click", act);
      chips.append(node);
      return node;
    };
    chips.append(this.bets.score, this.whatIf.chip);
    this.predictChip = chip("predict", "Predict", "Bet before the verdicts (p)", () => this.togglePredict());
    this.roundsChip = chip("rounds", "Rounds", "Borders of the rounds in the text (b)", () => this.toggleRounds());
    this.helpChip = chip("keys-open", "?", "Keys (?)", () => this.help.toggle());
    this.helpChip.setAttribute("aria-label", "Keys (?)");
    for (const node of [this.predictChip, this.roundsChip]) node.setAttribute("aria-pressed", "false");
    return chips;
  }

  // ------------------------------------------------------------ what comes

  show(view, looks) {
    this.looks = looks;
    this.view = view;
    this.desk.wear(looks);
    this.why.looks = looks;
    this.root.classList.toggle("talk", Boolean(view.talk));
    this.presented = Boolean(view.talk) || view.status === "exported";
    this.hide(view.hide || []);
    const real = readRun(view);
    if (real.id !== this.real.id || !canReplan(real)) this.what = null;
    this.real = real;
    const run = this.what === null ? real : replanned(real, this.what);
    if (run.id !== this.run.id) {
      this.open(run);
      if (UNDER_WAY.includes(view.status)) takeKeys(this.root);
    } else if (run.rounds.length) this.extend(run);
    this.run = run;
    this.manuscript.fill(run, looks);
    this.frames.ask();
  }

  // The whole run for another draft length, from its end; null goes back to the real one, where it was left.
  ask(k) {
    if (k === this.what) {
      this.frames.ask();
      return;
    }
    const share = this.run.replanned && this.plan.end > 0 ? this.clock / this.plan.end : 1;
    const { pace } = this;
    this.what = k;
    this.open(k === null ? this.real : replanned(this.real, k));
    this.pace = pace;
    this.plan = schedule(this.run, pace);
    this.manuscript.fill(this.run, this.looks);
    this.seek(k === null ? this.clock : share * this.plan.end);
  }

  // Parts that a lesson does without.
  hide(names) {
    const parts = {
      dial: this.dial.node, lanes: this.lanes.node, transport: this.transport.node, pace: this.transport.pace,
      predict: this.predictChip, rounds: this.roundsChip, keys: this.helpChip, legend: this.desk.legend, caption: this.caption,
      whatif: this.whatIf.chip,
    };
    this.hidden = names;
    for (const [name, node] of Object.entries(parts)) node.classList.toggle("stripped", names.includes(name));
  }

  // A run seen for the first time plays from its start; one seen before stands where it was left.
  open(run) {
    Object.assign(this, places.of(run.id) || { clock: 0, playing: true, pace: this.pace });
    this.run = run;
    this.plan = schedule(run, this.pace);
    this.pointed = this.focus = this.until = null;
    this.told = -1;
    this.bets.clear();
    this.manuscript.clear();
  }

  // More has come. Whoever stands at the end of what there was stays there, at the end of that round.
  extend(run) {
    const before = this.plan, index = before.starts.length - 1;
    const resting = !this.playing && index >= 0 && this.clock >= before.end && run.rounds.length > index + 1;
    this.plan = schedule(run, this.pace);
    if (resting) {
      this.clock = this.endOfRound(index);
      return;
    }
    const moved = (clock) => carryOver(run, before, this.plan, clock);
    this.clock = moved(this.clock);
    if (this.until !== null) this.until = moved(this.until);
  }

  // ------------------------------------------------------------ the clock

  // One frame, `passed` seconds after the one before; says whether another is wanted.
  tick(passed) {
    if (this.playing) this.advance(passed);
    const underWay = UNDER_WAY.includes(this.view.status) && !this.run.complete;
    const atEnd = this.clock >= this.plan.end;
    if (atEnd && !underWay) this.playing = false;
    const position = positionAt(this.run, this.plan, this.clock);
    if (position.index !== this.seen) this.pointed = null;
    this.seen = position.index;
    this.draw(position);
    places.keep(this.run.id, { clock: this.clock, playing: this.playing, pace: this.pace });
    return this.playing && !atEnd;
  }

  // Go on by some seconds, but not past the end of a phase that was asked for, nor past a bet.
  advance(seconds) {
    let to = Math.min(this.plan.end, this.clock + seconds);
    const stops = [this.until, this.bets.waitBetween(this.run, this.plan, this.clock, to)].filter((at) => at !== null && at <= to);
    if (stops.length) {
      to = Math.min(...stops);
      this.playing = false;
      this.until = null;
    }
    this.clock = to;
  }

  seek(clock, playing = false) {
    this.clock = Math.min(Math.max(0, clock), this.plan.end);
    this.playing = playing;
    this.until = null;
    this.frames.rest();
  }

  // As `seek`, but forward no further than where a bet is waited for.
  seekOn(clock) {
    const wait = clock > this.clock ? this.bets.waitBetween(this.run, this.plan, this.clock, clock) : null;
    this.seek(wait ?? clock);
  }

  toggle() {
    if (PACES[this.pace].byHand) {
      this.playPhase();
      return;
    }
    const again = this.clock >= this.plan.end && !this.playing;
    this.seek(again ? 0 : this.clock, !this.playing);
  }

  // Play to the end of this phase and stop there.
  playPhase() {
    const until = phaseStep(this.run, this.plan, this.clock, 1);
    this.seek(this.clock, true);
    this.until = until;
  }

  phase(by) {
    this.seekOn(phaseStep(this.run, this.plan, this.clock, by));
  }

  // To the end of the next round, or back to the end of the one before.
  step(by) {
    const position = positionAt(this.run, this.plan, this.clock);
    if (position.index < 0) return;
    const index = Math.min(by < 0 ? position.index - 1 : position.index + (position.joined ? 1 : 0), this.run.rounds.length - 1);
    if (index < 0) this.seek(0);
    else this.seekOn(this.endOfRound(index));
  }

  endOfRound(index) {
    return index + 1 < this.plan.starts.length ? this.plan.starts[index + 1] - HAIR : this.plan.end;
  }

  rejection(by) {
    const position = positionAt(this.run, this.plan, this.clock);
    const round = this.run.rounds[position.index];
    const ahead = by > 0 && round && wallOf(round) >= 0 && !slotAt(round, position, wallOf(round)).told;
    const index = nextRejection(this.run, ahead ? position.index - 1 : position.index, by);
    if (index >= 0) this.seekOn(clockOf(this.run, this.plan, index, "commit") - HAIR);
  }

  setPace(pace) {
    const before = this.plan;
    this.pace = pace;
    this.plan = schedule(this.run, pace);
    const clock = carryOver(this.run, before, this.plan, this.clock);
    this.seek(clock, this.playing && !PACES[pace].byHand);
  }

  shiftPace(by) {
    const place = PACE_ORDER.indexOf(this.pace) + by;
    if (PACE_ORDER[place]) this.setPace(PACE_ORDER[place]);
  }

  // ------------------------------------------------------------ what the viewer may open

  // The drawer for a place of a round: of the one on the desk, or of another, which is gone to first.
  openWhy(index, place) {
    if (this.hidden.includes("why")) return;
    if (index !== null) this.seek(this.endOfRound(index));
    else this.seek(this.clock);
    this.focus = { index: index ?? positionAt(this.run, this.plan, this.clock).index, place };
  }

  closeWhy() {
    this.focus = null;
    this.frames.ask();
  }

  // The drawer for the most telling place of this round: the refused token, else the target's own, else the first.
  toggleWhy() {
    if (this.focus) {
      this.closeWhy();
      return;
    }
    const position = positionAt(this.run, this.plan, this.clock);
    const round = this.run.rounds[position.index];
    if (!round) return;
    const wall = wallOf(round);
    if (wall >= 0 && slotAt(round, position, wall).told) this.openWhy(null, wall);
    else if (position.landed && round.closing) this.openWhy(null, "closing");
    else if (position.typed) this.openWhy(null, 0);
  }

  togglePredict() {
    this.bets.on = !this.bets.on;
    if (this.bets.on) this.bets.clear();
    this.predictChip.setAttribute("aria-pressed", String(this.bets.on));
    this.frames.ask();
  }

  goOn() {
    this.seek(this.clock + 2 * HAIR, true);
    if (PACES[this.pace].byHand) this.until = phaseStep(this.run, this.plan, this.clock, 1);
  }

  toggleRounds() {
    this.withRounds = !this.withRounds;
    this.roundsChip.setAttribute("aria-pressed", String(this.withRounds));
    this.manuscript.markRounds(this.withRounds);
  }

  // A sentence in the caption's place; null gives it back.
  say(sentence) {
    this.how = sentence;
    this.frames.ask();
  }

  // ------------------------------------------------------------ drawing

  draw(position) {
    const { run, plan } = this;
    const theme = this.root.dataset.theme;
    setText(this.note, noteOf(run, this.view));
    this.dial.draw(run, position);
    this.manuscript.draw(run, position);
    this.desk.draw(run, position);
    this.lanes.draw(run, position, theme);
    const told = this.bets.on ? position.index - (position.landed ? 0 : 1) : Infinity;
    this.transport.draw(run, plan, position, this.clock, { playing: this.playing, theme, told });
    if (this.focus && this.focus.index !== position.index) this.focus = null;
    this.why.draw(run, position, this.focus);
    const asking = !this.playing && this.bets.asks(run, plan, position, this.clock);
    this.bets.draw(run, position, asking);
    this.whatIf.node.classList.toggle("stripped", asking);
    this.caption.hidden = this.whatIf.draw(this.real, this.what) || asking;
    setText(this.caption, this.sentence(position));
    if (position.joined && this.told !== position.index) {
      this.told = position.index;
      setText(this.spoken, this.bets.outcome(position) + summaryOf(run, this.looks, position.index));
    }
  }

  sentence(position) {
    if (this.how) return this.how;
    const pointed = this.pointed === null ? null : explanationOf(this.run, position, this.pointed);
    return pointed || this.bets.outcome(position) + captionOf(this.run, position);
  }
}

export default function mount(component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".stage");
  if (!root || !data) return undefined;
  root.dataset.theme = themeOf(root);
  let stage = stages.get(root);
  if (!stage) {
    stage = new Stage(root);
    stages.set(root, stage);
  }
  stage.show(data.view, data.looks);
  return undefined;
}
