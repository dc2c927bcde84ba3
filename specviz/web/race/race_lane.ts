// One lane on the page: who runs, the figures, the text that grows, the bar of its time, the gap to the plain lane.

import { el, followEnd, isNew, onPointed, setText } from "../shared/dom.ts";
import type { Looks } from "../shared/json_types.ts";
import { clockWords, number, promptPieces, textPieces, tokenCount } from "../shared/labels.ts";
import { word } from "../shared/words.ts";
import { GapBracket } from "./gap_bracket.ts";
import type { Moment } from "./race_course.ts";
import type { Course, Lane, Origin } from "./race_reading.ts";
import {
  bracketWords,
  howInRace,
  laneHeadline,
  originWords,
  passesWords,
  rankWords,
  recordingWords,
} from "./race_text.ts";
import type { Badge } from "./race_types.ts";
import { TimeBar } from "./time_bar.ts";

/** A figure, and how it was measured. */
type Figure = { node: HTMLElement; value: HTMLElement; small: HTMLElement; how: string };

export class RaceLane {
  explain: (how: string) => void;
  headline = this.figure("headline");
  passes = this.figure("passes");
  rate = this.figure("rate");
  badge = this.figure("badge");
  time = this.figure("time", el("span", "figure time"));
  bar = new TimeBar(this.time.node);
  node: HTMLElement;
  name = el("b", "name", "");
  rank = el("span", "place", "");
  words = el("span", "words", "");
  text = el("div", { class: "text", role: "group", tabindex: 0 });
  /** What is known of where each token came from. */
  origins: WeakMap<EventTarget, string> = new WeakMap();
  recording = el("p", "recording", "");
  prompt = el("span", "prompt", "");
  caret = el("span", "caret", "");
  bracket = new GapBracket();
  /** The share of the guesses that were right so far. */
  acceptance = el("div", { class: "acceptance", "aria-hidden": "true" }, el("i"));
  spans: HTMLElement[] = [];
  ids: number[] = [];
  shown = 0;
  spread = "";

  /** @param explain called with how a figure was measured when one is pointed at, with "" when it is left. */
  constructor(explain: (how: string) => void) {
    this.explain = explain;
    const head = el("div", "head", this.name, this.rank);
    const who = el("div", "who");
    who.append(
      head,
      this.words,
      this.headline.node,
      this.acceptance,
      this.passes.node,
      this.rate.node,
      this.badge.node,
    );
    for (const event of ["pointerover", "click"])
      this.text.addEventListener(event, ({ target }) => this.explain((target && this.origins.get(target)) ?? ""));
    this.text.addEventListener("pointerleave", () => this.explain(""));
    const page = el("div", "page", this.text, this.recording);
    this.node = el("section", "lane", who, page, this.bar.node, this.bracket.node);
    this.clear();
    new ResizeObserver(() => this.follow()).observe(this.text);
  }

  /** In a box of another size the newest words are in view again, on full lines. */
  follow() {
    this.text.scrollTop = 0;
    followEnd(this.text, this.caret);
  }

  /** Pointing at a figure, reaching it with the keyboard or touching it explains how it was measured. */
  figure(name: string, node: HTMLElement = el("div", { class: `figure ${name}`, role: "group" })): Figure {
    const [value, small] = [el("span", "value", ""), el("span", "small", "")];
    node.append(value, small);
    const figure = { node, value, small, how: "" };
    node.addEventListener("click", () => this.explain(figure.how));
    onPointed(node, (on) => this.explain(on ? figure.how : ""));
    return figure;
  }

  set(figure: Figure, { value = "", small = "", how }: { value?: string; small?: string; how: string }) {
    setText(figure.value, value);
    setText(figure.small, small);
    figure.how = how;
    figure.node.classList.toggle("empty", !value && !small);
    if (figure.node.role !== "group") return; // of the bar: what follows it moves
    if (!isNew(figure, value, small, how)) return;
    figure.node.tabIndex = value || small ? 0 : -1;
    figure.node.ariaLabel = `${value} ${small}`.trim();
    figure.node.ariaDescription = how;
  }

  clear() {
    this.spans = [];
    this.ids = [];
    this.shown = 0;
    this.prompt.textContent = "";
    this.text.replaceChildren(this.prompt, this.caret);
  }

  /** What has come of the lane: spans for the tokens that are new; new spans for all only where it is another text. */
  fit(lane: Lane, looks: Looks) {
    this.node.dataset.kind = lane.kind;
    this.node.dataset.state = lane.state;
    setText(this.recording, recordingWords(lane));
    setText(this.name, lane.name);
    setText(this.words, lane.words);
    this.node.setAttribute("aria-label", `${lane.name}, ${lane.words}`);
    this.text.setAttribute("aria-label", word("Text of {name}, {words}", { name: lane.name, words: lane.words }));
    this.spread = lane.how;
    this.wear(lane.badge, looks);
    if (this.ids.some((id, i) => id !== lane.ids[i])) this.clear();
    if (lane.ids.length === this.spans.length && this.prompt.textContent) return;
    const pieces = textPieces(lane.bytes, [...lane.promptIds, ...lane.ids]).slice(lane.promptIds.length);
    const prompt = promptPieces(lane.bytes, lane.promptIds, lane.prompt).pieces;
    setText(this.prompt, prompt.join("") || lane.prompt);
    for (let i = this.spans.length; i < lane.ids.length; i += 1) this.add(pieces[i], lane.origins[i], lane, looks);
    this.ids = lane.ids;
  }

  wear(badge: Badge | null, looks: Looks) {
    this.badge.node.dataset.kind = badge?.kind ?? "";
    const look = badge ? { same: looks.accepted, differs: looks.rejected }[badge.kind] : undefined;
    const value = badge ? `${look ? `${look.mark} ` : ""}${badge.text}` : "";
    this.set(this.badge, { value, how: badge?.how ?? "" });
  }

  add(text: string, origin: Origin, lane: Lane, looks: Looks) {
    const span = el("span", `token ${lane.kind === "plain" ? "own" : origin.how}`, text);
    this.origins.set(span, originWords(origin, lane, looks));
    span.hidden = true;
    this.spans.push(span);
    this.caret.before(span);
  }

  draw(course: Course, lane: Lane, clock: number, now: Moment) {
    this.write(now);
    this.bar.draw(course, lane, clock, now);
    this.node.classList.toggle("finished", now.finished);
    this.node.classList.toggle("first", now.rank === 1);
    setText(this.rank, rankWords(now.rank ?? 0));
    const words = bracketWords(now.gap, course.span, lane.busy);
    this.bracket.draw(now.gap, { span: course.span, words, trusted: lane.judged && !lane.busy });
    this.tell(course, lane, now);
  }

  write({ tokens }: Moment) {
    const { spans } = this;
    const shown = Math.min(tokens, spans.length);
    for (let i = Math.min(shown, this.shown); i < Math.max(shown, this.shown); i += 1) spans[i].hidden = i >= shown;
    if (shown !== this.shown) followEnd(this.text, this.caret);
    this.shown = shown;
  }

  /** The figures: one large number, and small print. */
  tell(course: Course, lane: Lane, now: Moment) {
    const { value, small, tone, how } = laneHeadline(course, lane, now);
    this.headline.node.dataset.tone = tone;
    this.headline.node.classList.toggle("busy", Boolean(lane.busy));
    this.set(this.headline, { value, small, how: `${how} ${this.spread}` });
    const { accepted, judged } = lane.totals[now.passes];
    this.acceptance.hidden = !lane.alone;
    this.acceptance.style.setProperty("--share", String(judged ? accepted / judged : 0));
    this.set(this.passes, { small: passesWords(lane, now), how: howInRace("passes") });
    const rate = now.finished && how !== howInRace("rate") ? number(now.rate, 0) : "";
    this.set(this.rate, {
      value: rate,
      small: rate && word("tokens a second"),
      how: `${howInRace("rate")} ${this.spread}`,
    });
    const running = now.passes ? tokenCount(now.tokens) : "";
    if (now.finished) this.set(this.time, { value: clockWords(lane.known, course.span), how: howInRace("time") });
    else this.set(this.time, { small: running, how: howInRace("tokens") });
  }
}
