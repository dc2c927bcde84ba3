// The picture: builds the stage once, then shows whatever timeline.js says of this moment. Token text goes in by
// textContent only. State lives beside the component's element, and by run id across mounts.

const ICONS = {
  first: "M6 5h2v14H6zM20 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M7 5v14l10-7z",
  last: "M16 5h2v14h-2zM4 5v14l11-7z",
};
const stages = new WeakMap();
const places = new Map();
const MAX_PLACES = 20;

function el(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function number(value, digits = 1) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

class Stage {
  constructor(root) {
    this.root = root;
    this.run = { id: null, rounds: [] };
    this.plan = { starts: [], end: 0, pace: "lesson" };
    this.clock = 0;
    this.playing = false;
    this.pace = "lesson";
    this.focus = null;
    this.build();
  }

  // ------------------------------------------------------------ what there is

  build() {
    const root = this.root;
    root.replaceChildren();
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Speculative decoding, round by round");
    this.note = el("p", "note");
    this.dial = el("div", "dial");
    this.figures = {};
    for (const [name, title] of [
      ["speedup", "speedup over plain decoding"],
      ["rate", "tokens a second"],
      ["perPass", "tokens per target pass"],
      ["accepted", "accepted / judged"],
    ]) {
      const box = el("div", `figure ${name}`);
      const value = el("span", "value", "–");
      const label = el("span", "label", title);
      const small = el("span", "small", "");
      const line = el("div", "line");
      line.append(value, small);
      box.append(line, label);
      this.figures[name] = { box, value, small };
      this.dial.append(box);
    }
    this.manuscript = el("div", "manuscript");
    this.manuscript.setAttribute("aria-label", "The text so far");
    this.manuscript.tabIndex = 0;
    this.promptSpan = el("span", "prompt");
    this.caret = el("span", "caret", "");
    this.manuscript.append(this.promptSpan, this.caret);
    this.desk = el("div", "desk");
    this.buildDesk();
    this.caption = el("p", "caption", "");
    this.live = el("p", "hidden", "");
    this.live.setAttribute("aria-live", "polite");
    this.transport = el("div", "transport");
    this.buildTransport();
    root.append(this.note, this.dial, this.manuscript, this.desk, this.caption, this.transport, this.live);
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  buildDesk() {
    this.who = el("div", "who");
    this.typist = el("div", "role");
    this.typistName = el("b", "", "Draft model");
    this.typistTime = el("span", "time", "");
    this.typist.append(this.typistName, el("span", "does", "types ahead, one token at a time"), this.typistTime);
    this.editor = el("div", "role");
    this.editorTime = el("span", "time", "");
    this.editor.append(el("b", "", "Target model"), el("span", "does", "checks all of them in one pass"), this.editorTime);
    this.who.append(this.typist, this.editor);
    this.board = el("div", "board");
    this.board.setAttribute("role", "list");
    this.board.setAttribute("aria-label", "The round now");
    const head = el("div", "head");
    this.roundName = el("span", "round-name", "");
    this.legend = el("span", "legend");
    head.append(this.roundName, this.legend);
    this.desk.append(head, this.who, this.board);
    this.columns = [];
  }

  buildTransport() {
    const button = (name, label, act) => {
      const node = el("button", "button");
      node.type = "button";
      node.title = label;
      node.setAttribute("aria-label", label);
      node.append(icon(name));
      node.addEventListener("click", act);
      this.transport.append(node);
      return node;
    };
    button("first", "To the start (Home)", () => this.seek(0, false));
    button("back", "Round before (left arrow)", () => this.step(-1));
    this.playButton = button("play", "Play (space)", () => this.toggle());
    button("next", "Next round (right arrow)", () => this.step(1));
    button("last", "To the end (End)", () => this.seek(Infinity, false));
    this.scrubber = el("input", "scrubber");
    this.scrubber.type = "range";
    this.scrubber.min = "0";
    this.scrubber.max = "1000";
    this.scrubber.value = "0";
    this.scrubber.setAttribute("aria-label", "Place in the run");
    this.scrubber.addEventListener("input", () => this.seek((this.plan.end * this.scrubber.value) / 1000, false));
    this.paceSelect = el("select", "pace");
    this.paceSelect.setAttribute("aria-label", "Pace");
    for (const [name, pace] of Object.entries(PACES)) {
      const option = el("option", "", pace.word);
      option.value = name;
      this.paceSelect.append(option);
    }
    this.paceSelect.value = this.pace;
    this.paceSelect.addEventListener("change", () => this.setPace(this.paceSelect.value));
    this.factor = el("span", "factor", "");
    this.transport.append(this.scrubber, this.paceSelect, this.factor);
  }

  // ------------------------------------------------------------ what comes

  show(view, looks) {
    if (!this.looks) {
      this.legend.append(...Object.entries(looks).map(([name, look]) => el("span", `key ${name}`, `${look.mark} ${look.word}`)));
    }
    this.looks = looks;
    this.status = view.status;
    this.view = view;
    const run = readRun(view);
    const fresh = run.id !== this.run.id;
    if (fresh) this.open(run);
    else if (run.rounds.length) this.extend(run);
    this.run = run;
    this.fillManuscript();
    this.scheduleFrame();
  }

  open(run) {
    const place = places.get(run.id);
    this.run = run;
    this.pace = place ? place.pace : this.pace;
    this.paceSelect.value = this.pace;
    this.plan = schedule(run, this.pace);
    this.clock = place ? place.clock : 0;
    this.playing = place ? place.playing : true;
    this.focus = null;
    this.pieces = [];
    this.spans = [];
    this.spoken = -1;
    this.shownRound = null;
    this.manuscript.replaceChildren(this.promptSpan, this.caret);
    this.promptSpan.textContent = "";
  }

  extend(run) {
    const before = this.plan;
    this.plan = schedule(run, this.pace);
    this.clock = before.starts.length ? carryOver(run, before, this.plan, this.clock) : 0;
  }

  // Spans for every token of the run; how many of them are shown is the clock's business.
  fillManuscript() {
    const run = this.run;
    const ids = run.rounds.flatMap((r) => [...r.accepted.map((i) => r.drafted[i].token), ...(r.closing ? [r.closing.token] : [])]);
    if (!ids.length || ids.length === this.spans.length) return;
    const whole = textPieces(run.bytes, [...run.promptIds, ...ids]);
    setText(this.promptSpan, whole.slice(0, run.promptIds.length).join(""));
    const pieces = whole.slice(run.promptIds.length);
    let place = 0;
    run.rounds.forEach((round, index) => {
      for (let i = 0; i < tokensOf(round); i += 1, place += 1) {
        if (place < this.spans.length) continue;
        const how = i < round.accepted.length ? "accepted" : round.closing.how;
        const span = el("span", `token ${how}`, pieces[place]);
        span.title = `${this.looks[how].word} in round ${index + 1}`;
        span.hidden = true;
        span.addEventListener("click", () => this.seek(clockOf(this.run, this.plan, index, "judge"), false));
        this.spans.push(span);
        this.caret.before(span);
      }
    });
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
    const position = positionAt(this.run, this.plan, this.clock);
    const atEnd = this.run.rounds.length > 0 && this.clock >= this.plan.end;
    if (atEnd && this.isOver()) this.playing = false;
    this.draw(position);
    this.remember();
    if (this.playing) this.scheduleFrame();
    else this.before = undefined;
  }

  isOver() {
    return !["queued", "loading", "running"].includes(this.status) || this.run.complete;
  }

  remember() {
    if (!this.run.id) return;
    places.delete(this.run.id);
    places.set(this.run.id, { clock: this.clock, playing: this.playing, pace: this.pace });
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value);
  }

  seek(clock, playing) {
    this.clock = Math.min(Math.max(0, clock), this.plan.end);
    this.playing = playing;
    this.before = undefined;
    this.focus = null;
    this.scheduleFrame();
  }

  toggle() {
    const atEnd = this.clock >= this.plan.end;
    this.seek(atEnd && !this.playing ? 0 : this.clock, !this.playing);
  }

  // To the end of the next round, or back to the end of the one before.
  step(by) {
    const position = positionAt(this.run, this.plan, this.clock);
    if (position.index < 0) return;
    const finished = position.phase === "commit" && position.joined;
    const target = by > 0 ? position.index + (finished ? 1 : 0) : position.index - 1;
    if (target < 0) return this.seek(0, false);
    const index = Math.min(target, this.run.rounds.length - 1);
    const next = index + 1 < this.plan.starts.length ? this.plan.starts[index + 1] : this.plan.end;
    this.seek(next - 1e-6, false);
  }

  setPace(pace) {
    const before = this.plan;
    this.pace = pace;
    this.plan = schedule(this.run, pace);
    this.seek(carryOver(this.run, before, this.plan, this.clock), this.playing);
  }

  onKey(event) {
    if (event.target.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    const acts = {
      " ": () => event.target.tagName !== "BUTTON" && this.toggle(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      Home: () => this.seek(0, false),
      End: () => this.seek(Infinity, false),
    };
    if (!acts[event.key]) return;
    if (!(event.key === " " && event.target.tagName === "BUTTON")) event.preventDefault();
    acts[event.key]();
  }

  // ------------------------------------------------------------ drawing

  draw(position) {
    this.drawNote();
    this.drawText(position);
    this.drawDesk(position);
    this.drawFigures(position);
    this.drawTransport(position);
    setText(this.caption, this.focus || this.captionOf(position));
    if (position.joined && this.spoken !== position.index) {
      this.spoken = position.index;
      setText(this.live, this.summaryOf(this.run.rounds[position.index], position.index));
    }
  }

  drawNote() {
    const waits = { queued: "Waiting in line", loading: "Getting the models ready", running: "Reading the prompt" };
    let text = "";
    if (this.status === "shipped" && this.run.rounds.length) {
      text = `A real run, recorded earlier (${this.run.card.dtype}, ${this.run.card.device}). Press Run for one of your own.`;
    } else if (!this.run.rounds.length) {
      const place = this.view.place ? `: ${this.view.place} before you` : "";
      text = (waits[this.status] || "Press Run to watch two models write") + place + (this.view.what ? `: ${this.view.what}` : "") + " …";
      if (!waits[this.status]) text = text.replace(/ …$/, ".");
    } else if (this.status === "cancelled") text = "Stopped: this is the part that was written.";
    setText(this.note, text);
    this.note.hidden = !text;
  }

  drawText(position) {
    const shown = position.committed;
    this.spans.forEach((span, i) => {
      const hide = i >= shown;
      if (span.hidden !== hide) span.hidden = hide;
    });
    const now = this.run.rounds[position.index];
    this.spans.forEach((span, i) => span.classList.toggle("new", Boolean(now) && i >= now.start && i < shown));
    if (this.shownTokens !== shown) {
      this.shownTokens = shown;
      const box = this.manuscript;
      const bottom = this.caret.offsetTop + this.caret.offsetHeight;
      if (bottom > box.scrollTop + box.clientHeight || bottom < box.scrollTop) box.scrollTop = bottom - box.clientHeight + 8;
    }
  }

  // A column for each slot and one more: a fixed number, so that nothing jumps.
  layBoard(columns) {
    if (this.columns.length === columns) return;
    this.board.replaceChildren();
    this.board.style.setProperty("--columns", columns > 9 ? Math.ceil(columns / 2) : columns);
    this.board.classList.toggle("narrow", columns > 7);
    this.columns = [];
    for (let i = 0; i < columns; i += 1) {
      const column = el("div", "column");
      column.setAttribute("role", "listitem");
      const slot = el("button", "slot");
      slot.type = "button";
      const text = el("span", "text", "");
      const verdict = el("span", "verdict", "");
      slot.append(text, verdict);
      const closing = el("div", "closing");
      const closingText = el("span", "text", "");
      const closingWord = el("span", "verdict", "");
      closing.append(closingText, closingWord);
      column.append(slot, closing);
      for (const event of ["pointerenter", "focus"]) slot.addEventListener(event, () => this.explain(i));
      for (const event of ["pointerleave", "blur"]) slot.addEventListener(event, () => this.explain(null));
      this.board.append(column);
      this.columns.push({ column, slot, text, verdict, closing, closingText, closingWord });
    }
  }

  drawDesk(position) {
    const round = this.run.rounds[position.index];
    this.layBoard((this.run.k || 5) + 1);
    this.desk.dataset.phase = round ? position.phase : "idle";
    if (!round) {
      setText(this.roundName, "");
      for (const c of this.columns) this.drawColumn(c, null);
      return;
    }
    const ms = (s) => `${(s * 1000).toFixed(1)} ms`;
    const of = this.run.complete ? ` of ${this.run.rounds.length}` : "";
    const read = this.run.prefill;
    setText(this.roundName, `Round ${position.index + 1}${of}${read ? ` · prompt read in ${ms(read.target_s + read.draft_s)}` : ""}`);
    this.roundName.title = read ? `Before the first round: ${ms(read.target_s)} by the target, ${ms(read.draft_s)} by the draft. Not part of the speedup.` : "";
    const drafts = round.drafted.length;
    setText(this.typistTime, position.phase === "draft" || !drafts ? "" : `${ms(round.draft)} for ${drafts}`);
    setText(this.editorTime, position.swept ? `${ms(round.verify)}, one pass` : "");
    this.typist.classList.toggle("active", position.phase === "draft");
    this.editor.classList.toggle("active", position.phase !== "draft");
    this.board.style.setProperty("--progress", position.sweep);
    const wall = round.drafted.findIndex((d) => d.verdict === "rejected");
    this.columns.forEach((c, i) => {
      const d = round.drafted[i];
      this.drawColumn(c, d && i < position.typed ? d : null, {
        open: i < drafts,
        judged: d && (i < position.judged || (position.landed && d.verdict === "discarded")),
        wall: i === wall && position.judged > wall,
        struck: d && d.verdict === "discarded" && wall >= 0 && position.judged > wall,
        next: i === drafts && position.typed < drafts ? false : i === position.typed && position.phase === "draft",
        checking: position.phase === "verify" && i < drafts,
        closing: round.closing && position.landed && i === round.accepted.length ? round.closing : null,
        joined: position.joined,
      });
    });
  }

  drawColumn(c, drafted, s = {}) {
    const label = drafted ? tokenLabel(this.run.bytes, drafted.token) : null;
    setText(c.text, label ? label.text : "");
    const shown = drafted && (s.judged || s.struck);
    const verdict = shown ? drafted.verdict : "";
    const look = verdict ? this.looks[verdict] : null;
    this.drawVerdict(c.verdict, look);
    const state = drafted ? (verdict || "typed") : s.open ? "open" : "idle";
    c.slot.className = `slot ${state}${label && label.raw ? " raw" : ""}${s.next ? " next" : ""}`;
    c.slot.disabled = !drafted;
    c.column.classList.toggle("wall", Boolean(s.wall));
    c.column.classList.toggle("checking", Boolean(s.checking));
    c.closing.className = `closing ${s.closing ? `on ${s.closing.how}` : ""}`;
    if (s.closing) {
      const own = tokenLabel(this.run.bytes, s.closing.token);
      const ownLook = this.looks[s.closing.how];
      setText(c.closingText, own.text);
      this.drawVerdict(c.closingWord, ownLook);
    }
  }

  // Mark and word; where columns are narrow the word is left to the legend.
  drawVerdict(node, look) {
    if (node.dataset.word === (look ? look.word : "")) return;
    node.dataset.word = look ? look.word : "";
    node.replaceChildren(...(look ? [el("span", "mark", look.mark), el("span", "word", ` ${look.word}`)] : []));
  }

  drawFigures(position) {
    const f = figuresAt(this.run, position);
    const set = (name, value, small, how) => {
      const figure = this.figures[name];
      setText(figure.value, value);
      setText(figure.small, small);
      if (figure.box.title !== how) figure.box.title = how;
    };
    if (!f) {
      for (const name of Object.keys(this.figures)) set(name, "–", "", "");
      this.figures.speedup.box.classList.remove("slower");
      return;
    }
    const sources = {
      measured: "Plain decoding was measured on this prompt: the same engine, alone, right after this run.",
      load: "Plain decoding of this prompt is still being measured: until then its rate is the one measured when the pair was loaded.",
      none: "Plain decoding was not measured for this run.",
    };
    const slower = f.speedup !== null && f.speedup < 1;
    const approx = f.plainIs === "load" && f.speedup !== null ? "≈ " : "";
    set(
      "speedup", f.speedup === null ? "–" : `${approx}${number(f.speedup, 2)}×`,
      f.speedup === null ? "after the first round" : slower ? "slower than plain" : f.plainIs === "load" ? "plain rate from load" : "measured",
      `Tokens committed by now over tokens that plain decoding had committed by the same engine time; at the end, the ratio of the two times. ${sources[f.plainIs]} Reading the prompt is not counted on either side.`,
    );
    this.figures.speedup.box.classList.toggle("slower", slower);
    set(
      "rate", number(f.rate, 0), f.plainRate ? `plain: ${number(f.plainRate, 0)}` : "",
      "New tokens over engine seconds: the engine's clock runs only while it works, never while you watch.",
    );
    set("perPass", number(f.perPass, 2), f.passes ? `${f.tokens} in ${f.passes}` : "", "New tokens over passes of the target model; plain decoding always has 1.");
    set(
      "accepted", f.judged ? `${f.accepted} / ${f.judged}` : "–", f.judged ? `${Math.round((100 * f.accepted) / f.judged)} %` : "",
      "Accepted drafts over drafts that were judged. Those behind a rejection were never judged and do not count.",
    );
  }

  drawTransport(position) {
    if (this.drawnPlaying !== this.playing) {
      this.drawnPlaying = this.playing;
      const label = this.playing ? "Pause (space)" : "Play (space)";
      this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
    }
    const place = this.plan.end > 0 ? Math.round((1000 * this.clock) / this.plan.end) : 0;
    if (Number(this.scrubber.value) !== place) this.scrubber.value = String(place);
    this.scrubber.setAttribute("aria-valuetext", position.index < 0 ? "no round yet" : `round ${position.index + 1} of ${this.run.rounds.length}`);
    const slow = slowdownAt(this.run, this.plan, position.index);
    setText(this.factor, slow === null ? "" : slow < 1.05 ? "true speed" : `${slow < 10 ? slow.toFixed(1) : Math.round(slow)}× slower than real`);
  }

  // ------------------------------------------------------------ words

  captionOf(position) {
    const round = this.run.rounds[position.index];
    if (!round) return "A small model types ahead; a large one checks all of it in one pass and keeps what it would have written itself.";
    const drafts = round.drafted.length;
    const token = (id) => `“${tokenLabel(this.run.bytes, id).text}”`;
    const wall = round.drafted.findIndex((d) => d.verdict === "rejected");
    if (position.phase === "draft") return `The draft model guesses the next ${drafts === 1 ? "token" : `${drafts} tokens`}, one after the other.`;
    if (position.phase === "verify") return drafts ? `One pass of the target model reads all ${drafts} at once, and scores what follows each of them.` : "The target model reads the last token.";
    if (position.phase === "judge") {
      if (wall >= 0 && position.judged > wall) return `The target refuses ${token(round.drafted[wall].token)}: nothing behind it can stand.`;
      return "From left to right: would the target have written this too?";
    }
    if (!round.closing) return "The text has come to its end.";
    if (round.closing.how === "corrected") return `The target puts its own ${token(round.closing.token)} in place of ${token(round.drafted[wall].token)}.`;
    if (!drafts) return `The target writes ${token(round.closing.token)}.`;
    return `All ${drafts} accepted: the same pass gives ${token(round.closing.token)} as a bonus.`;
  }

  summaryOf(round, index) {
    const own = round.closing ? `, ${this.looks[round.closing.how].word}: ${tokenLabel(this.run.bytes, round.closing.token).text}` : "";
    return `Round ${index + 1}: ${round.accepted.length} of ${round.drafted.length} drafts accepted${own}.`;
  }

  // The numbers behind one slot, in the caption's place.
  explain(i) {
    const position = positionAt(this.run, this.plan, this.clock);
    const round = this.run.rounds[position.index];
    const d = i === null || !round ? null : round.drafted[i];
    if (!d) this.focus = null;
    else {
      const name = `“${tokenLabel(this.run.bytes, d.token).text}”`;
      const parts = [`${name}: the draft gave it q = ${number(d.q, 3)}`];
      if (position.swept) parts.push(`the target p = ${number(d.p, 3)}`);
      if (position.swept && d.verdict !== "discarded" && i < position.judged) {
        const rule = d.u === null || d.u === undefined ? "no draw is needed at temperature 0" : `the draw u = ${number(d.u, 3)} ${d.verdict === "accepted" ? "<" : "≥"} p/q = ${number(d.p / d.q, 3)}`;
        parts.push(`${rule}: ${d.verdict}`);
      }
      if (d.verdict === "discarded" && position.swept) parts.push("it was never judged");
      this.focus = `${parts.join(", ")}.`;
    }
    this.scheduleFrame();
  }
}

// Which of the two themes the page wears, from the ground it stands on.
function themeOf(node) {
  const probe = el("span");
  probe.style.color = "var(--st-background-color, #fff)";
  node.append(probe);
  const [r, g, b] = (getComputedStyle(probe).color.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
  probe.remove();
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
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
