// The raceway: all lanes on one clock. State lives beside the component's element, and by race across mounts.

const raceways = new WeakMap();
const places = new Places();

class Raceway {
  constructor(root) {
    this.root = root;
    this.course = { id: null, lanes: [], known: 0, span: 0, slowest: 0 };
    this.boxes = [];
    this.clock = 0;
    this.playing = false;
    this.chosen = null;
    this.factor = 1;
    this.finished = new Set();
    this.frames = new Frames(root, (passed) => this.tick(passed));
    this.build();
  }

  build() {
    const root = this.root;
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Lanes on one clock");
    this.note = el("p", "note");
    this.lanes = el("div", "lanes");
    this.controls = new Controls({
      first: () => this.seek(0, true),
      toggle: () => this.toggle(),
      scrub: (share) => this.seek(this.course.span * share),
      factor: (factor) => this.choose(factor),
    });
    this.caption = el("p", "caption", "");
    this.spoken = el("p", "unseen", "");
    this.spoken.setAttribute("aria-live", "polite");
    root.replaceChildren(this.controls.node, this.note, this.lanes, this.caption, this.spoken);
    listenForKeys(root, (event) => this.onKey(event));
  }

  // ------------------------------------------------------------ what comes

  show(view, looks) {
    const course = readCourse(view);
    if (course.id !== this.course.id) {
      this.open(course);
      if (course.live) takeKeys(this.root);
    }
    this.course = course;
    this.root.classList.toggle("talk", Boolean(view.talk));
    while (this.boxes.length < course.lanes.length) this.addBox();
    while (this.boxes.length > course.lanes.length) this.boxes.pop().node.remove();
    this.root.dataset.lanes = course.lanes.length;
    course.lanes.forEach((lane, i) => this.boxes[i].fit(lane, looks));
    this.factor = this.chosen === null ? factorFor(course) : this.chosen;
    this.clock = Math.min(this.clock, course.known);
    this.frames.ask();
  }

  addBox() {
    const box = new LaneBox((how) => setText(this.caption, how));
    this.boxes.push(box);
    this.lanes.append(box.node);
  }

  // A race seen for the first time is played from its start; one seen before stands where it was left.
  open(course) {
    Object.assign(this, places.of(course.id) || { clock: 0, playing: true, chosen: null });
    this.finished = new Set();
    for (const box of this.boxes) box.clear();
    setText(this.caption, "");
    setText(this.spoken, "");
  }

  // ------------------------------------------------------------ the clock

  // One frame, `passed` seconds after the one before; says whether another is wanted.
  tick(passed) {
    if (this.playing) this.clock = Math.min(this.course.known, this.clock + passed / this.factor);
    const atEnd = this.clock >= this.course.known;
    if (atEnd && !this.course.live) this.playing = false;
    this.draw();
    places.keep(this.course.id, { clock: this.clock, playing: this.playing, chosen: this.chosen });
    return this.playing && !atEnd;
  }

  seek(clock, playing = false) {
    this.clock = Math.min(Math.max(0, clock), this.course.known);
    this.playing = playing;
    this.frames.rest();
  }

  toggle() {
    const again = this.clock >= this.course.known && !this.playing;
    this.seek(again ? 0 : this.clock, !this.playing);
  }

  choose(factor) {
    this.chosen = factor;
    this.factor = factor === null ? factorFor(this.course) : factor;
    this.frames.ask();
  }

  onKey(event) {
    if (event.target.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    const acts = {
      " ": () => this.toggle(),
      ArrowRight: () => this.seek(stopBeside(this.course, this.clock, 1)),
      ArrowLeft: () => this.seek(stopBeside(this.course, this.clock, -1)),
      Home: () => this.seek(0),
      End: () => this.seek(Infinity),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const { course, clock } = this;
    setText(this.note, course.note || course.hint);
    const moments = course.lanes.map((lane) => laneAt(course, lane, clock));
    course.lanes.forEach((lane, i) => this.boxes[i].draw(course, lane, moments[i]));
    this.controls.draw(course, clock, this);
    this.announce(moments);
  }

  announce(moments) {
    const news = moments.map((now, i) => (now.finished && !this.finished.has(i) ? finishWords(this.course.lanes[i], now) : ""));
    if (news.some(Boolean)) setText(this.spoken, news.filter(Boolean).join(" "));
    this.finished = new Set(moments.flatMap((now, i) => (now.finished ? [i] : [])));
  }
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".race");
  if (!root || !data) return undefined;
  root.dataset.theme = themeOf(root);
  let raceway = raceways.get(root);
  if (!raceway) {
    raceway = new Raceway(root);
    raceways.set(root, raceway);
  }
  raceway.show(data.view, data.looks);
  return undefined;
}
