// The stage: shows whatever timeline.js says of this moment. State lives beside the component's element, and by run
// id across mounts.

const stages = new WeakMap();
const places = new Map();
const MAX_PLACES = 20;
const UNDER_WAY = ["queued", "loading", "running"];

class Stage {
  constructor(root) {
    this.root = root;
    this.run = { id: null, rounds: [] };
    this.pace = "lesson";
    this.plan = schedule(this.run, this.pace);
    this.clock = 0;
    this.playing = false;
    this.pointed = null;
    this.build();
  }

  build() {
    const root = this.root;
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Speculative decoding, round by round");
    this.note = el("p", "note");
    this.dial = new Dial();
    this.manuscript = new Manuscript((index) => this.seek(clockOf(this.run, this.plan, index, "judge")));
    this.desk = new Desk((slot) => {
      this.pointed = slot;
      this.scheduleFrame();
    });
    this.caption = el("p", "caption", "");
    this.spoken = el("p", "unseen", "");
    this.spoken.setAttribute("aria-live", "polite");
    this.transport = new Transport({
      first: () => this.seek(0),
      back: () => this.step(-1),
      toggle: () => this.toggle(),
      next: () => this.step(1),
      last: () => this.seek(Infinity),
      scrub: (share) => this.seek(this.plan.end * share),
      pace: (name) => this.setPace(name),
    });
    root.replaceChildren(
      this.note, this.dial.node, this.manuscript.node, this.desk.node, this.caption, this.transport.node, this.spoken,
    );
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  // ------------------------------------------------------------ what comes

  show(view, looks) {
    this.looks = looks;
    this.view = view;
    this.desk.wear(looks);
    const run = readRun(view);
    if (run.id !== this.run.id) this.open(run);
    else if (run.rounds.length) this.extend(run);
    this.run = run;
    this.manuscript.fill(run, looks);
    this.scheduleFrame();
  }

  // A run seen for the first time plays from its start; one seen before stands where it was left.
  open(run) {
    const place = places.get(run.id) || { clock: 0, playing: true, pace: this.pace };
    Object.assign(this, place);
    this.run = run;
    this.plan = schedule(run, this.pace);
    this.pointed = null;
    this.told = -1;
    this.manuscript.clear();
  }

  extend(run) {
    const before = this.plan;
    this.plan = schedule(run, this.pace);
    this.clock = carryOver(run, before, this.plan, this.clock);
  }

  remember() {
    if (!this.run.id) return;
    places.delete(this.run.id);
    places.set(this.run.id, { clock: this.clock, playing: this.playing, pace: this.pace });
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value);
  }

  // ------------------------------------------------------------ the clock

  scheduleFrame() {
    if (this.frame) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = null;
      this.tick(now);
    });
  }

  tick(now) {
    if (!this.root.isConnected) return;
    const passed = this.before === undefined ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    if (this.playing) this.clock = Math.min(this.plan.end, this.clock + passed);
    const underWay = UNDER_WAY.includes(this.view.status) && !this.run.complete;
    const atEnd = this.clock >= this.plan.end;
    if (atEnd && !underWay) this.playing = false;
    const position = positionAt(this.run, this.plan, this.clock);
    if (position.index !== this.seen) this.pointed = null;
    this.seen = position.index;
    this.draw(position);
    this.remember();
    if (this.playing && !atEnd) this.scheduleFrame();
    else this.before = undefined;
  }

  seek(clock, playing = false) {
    this.clock = Math.min(Math.max(0, clock), this.plan.end);
    this.playing = playing;
    this.before = undefined;
    this.scheduleFrame();
  }

  toggle() {
    const again = this.clock >= this.plan.end && !this.playing;
    this.seek(again ? 0 : this.clock, !this.playing);
  }

  // To the end of the next round, or back to the end of the one before.
  step(by) {
    const position = positionAt(this.run, this.plan, this.clock);
    if (position.index < 0) return;
    const index = Math.min(by < 0 ? position.index - 1 : position.index + (position.joined ? 1 : 0), this.run.rounds.length - 1);
    if (index < 0) this.seek(0);
    else this.seek(index + 1 < this.plan.starts.length ? this.plan.starts[index + 1] - 1e-6 : this.plan.end);
  }

  setPace(pace) {
    const before = this.plan;
    this.pace = pace;
    this.plan = schedule(this.run, pace);
    this.seek(carryOver(this.run, before, this.plan, this.clock), this.playing);
  }

  onKey(event) {
    if (event.target.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    const acts = {
      " ": () => this.toggle(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      Home: () => this.seek(0),
      End: () => this.seek(Infinity),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // ------------------------------------------------------------ drawing

  draw(position) {
    const note = noteOf(this.run, this.view);
    setText(this.note, note);
    this.note.hidden = !note;
    this.dial.draw(this.run, position);
    this.manuscript.draw(this.run, position);
    this.desk.draw(this.run, position);
    this.transport.draw(this.run, this.plan, position, this.clock, this.playing);
    const pointed = this.pointed === null ? null : explanationOf(this.run, position, this.pointed);
    setText(this.caption, pointed || captionOf(this.run, position));
    if (position.joined && this.told !== position.index) {
      this.told = position.index;
      setText(this.spoken, summaryOf(this.run, this.looks, position.index));
    }
  }
}

export default function (component) {
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
