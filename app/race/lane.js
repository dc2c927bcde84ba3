// One lane on the page: who runs, the text that grows, the track with its flag, the figures.

/** @import { Badge, Lane, Looks, Moment, Origin } from "../player/types" */

import { el, followEnd, setText } from "../player/dom.js";
import { number, textPieces, withoutTemplate } from "../player/labels.js";
import { HOW, originWords, passesWords, RANKS, speedupWords, trackWords } from "./words.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const FLAG = [
  ["pole", "M3 2h2v20H3z"],
  ["cloth", "M5 3h17v11H5z"],
  [
    "checks",
    "M5 3h4.25v3.7H5zM13.5 3h4.25v3.7H13.5zM9.25 6.7h4.25v3.6H9.25zM17.75 6.7H22v3.6h-4.25zM5 10.3h4.25V14H5zM13.5 10.3h4.25V14H13.5z",
  ],
];

function flag() {
  const svg = document.createElementNS(SVG_NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "flag");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, d] of FLAG) {
    const path = document.createElementNS(SVG_NAMESPACE, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/**
 * A button with a figure on it, and how that figure was measured.
 * @typedef {{ node: HTMLButtonElement, value: HTMLElement, small: HTMLElement, beside: HTMLElement, how: string }} Figure
 */

export class LaneBox {
  /** @param {(how: string) => void} explain called with how a figure was measured when one is pointed at, with "" when it is left. */
  constructor(explain) {
    this.explain = explain;
    this.node = el("section", "lane");
    const who = el("div", "who");
    this.name = el("b", "name", "");
    this.rank = el("span", "place", "");
    this.words = el("span", "words", "");
    const head = el("div", "head");
    head.append(this.name, this.rank);
    this.rate = this.figure("rate", HOW.rate);
    this.speedup = this.figure("speedup", HOW.speedup);
    who.append(head, this.words, this.rate.node, this.speedup.node);
    this.text = el("div", "text");
    this.text.setAttribute("role", "group");
    this.text.tabIndex = 0;
    this.prompt = el("span", "prompt", "");
    this.caret = el("span", "caret", "");
    const track = el("div", "track");
    const line = el("div", "line");
    this.fill = el("div", "fill");
    line.append(this.fill);
    this.reached = el("span", "reached", "");
    track.append(line, flag());
    const foot = el("div", "foot");
    this.passes = this.figure("passes", HOW.passes);
    this.badge = this.figure("badge", "");
    foot.append(this.reached, this.passes.node, this.badge.node);
    this.node.append(who, this.text, track, foot);
    /** @type {HTMLElement[]} */
    this.spans = [];
    /** @type {number[]} */
    this.ids = [];
    this.shown = 0;
    this.share = -1;
    this.clear();
  }

  /**
   * A figure is a button: pointing at it, reaching it with the keyboard or touching it explains how it was measured.
   * @param {string} name
   * @param {string} how
   * @returns {Figure}
   */
  figure(name, how) {
    const node = el("button", `figure ${name}`);
    node.type = "button";
    const value = el("span", "value", "");
    const small = el("span", "small", "");
    const beside = el("span", "beside", "");
    node.append(value, small, beside);
    const figure = { node, value, small, beside, how };
    for (const event of ["pointerenter", "focus", "click"])
      node.addEventListener(event, () => this.explain(figure.how));
    for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => this.explain(""));
    return figure;
  }

  /**
   * @param {Figure} figure
   * @param {string} value
   * @param {string} small
   * @param {string} beside a second line.
   */
  set(figure, value, small, beside = "") {
    setText(figure.value, value);
    setText(figure.small, small);
    setText(figure.beside, beside);
    figure.node.classList.toggle("empty", !value && !small);
    if (figure.node.tabIndex !== (value || small ? 0 : -1)) figure.node.tabIndex = value || small ? 0 : -1;
  }

  clear() {
    this.spans = [];
    this.ids = [];
    this.shown = 0;
    this.prompt.textContent = "";
    this.text.replaceChildren(this.prompt, this.caret);
  }

  /**
   * What has come of the lane: spans for the tokens that are new; new spans for all only where it is another text.
   * @param {Lane} lane
   * @param {Looks} looks
   */
  fit(lane, looks) {
    this.node.dataset.kind = lane.kind;
    setText(this.name, lane.name);
    setText(this.words, lane.words);
    if (this.words.title !== lane.words) this.words.title = lane.words;
    this.node.setAttribute("aria-label", `${lane.name}, ${lane.words}`);
    this.text.setAttribute("aria-label", `Text of ${lane.name}, ${lane.words}`);
    this.rate.how = lane.how ? `${HOW.rate} ${lane.how}` : HOW.rate;
    this.speedup.how = lane.how ? `${HOW.speedup} ${lane.how}` : HOW.speedup;
    this.wear(lane.badge, looks);
    if (this.ids.some((id, i) => id !== lane.ids[i])) this.clear();
    if (lane.ids.length === this.spans.length && this.prompt.textContent) return;
    const pieces = textPieces(lane.bytes, [...lane.promptIds, ...lane.ids]);
    const prompt = withoutTemplate(pieces.splice(0, lane.promptIds.length), lane.prompt);
    setText(this.prompt, prompt.join("") || lane.prompt);
    for (let i = this.spans.length; i < lane.ids.length; i += 1) this.add(pieces[i], lane.origins[i], lane, looks);
    this.ids = lane.ids;
  }

  /**
   * @param {Badge | null} badge
   * @param {Looks} looks
   */
  wear(badge, looks) {
    this.badge.node.dataset.kind = badge?.kind ?? "";
    this.badge.how = badge?.how ?? "";
    const look = badge ? { same: looks.accepted, differs: looks.rejected }[badge.kind] : undefined;
    this.set(this.badge, badge ? `${look ? `${look.mark} ` : ""}${badge.text}` : "", "");
  }

  /**
   * @param {string} text
   * @param {Origin} origin
   * @param {Lane} lane
   * @param {Looks} looks
   */
  add(text, origin, lane, looks) {
    const span = el("span", `token ${lane.kind === "plain" ? "plain" : origin.how}`, text);
    span.title = originWords(origin, lane, looks);
    span.hidden = true;
    this.spans.push(span);
    this.caret.before(span);
  }

  /**
   * @param {Lane} lane
   * @param {Moment} now
   */
  draw(lane, now) {
    const { spans } = this;
    const shown = Math.min(now.tokens, spans.length);
    for (let i = Math.min(shown, this.shown); i < Math.max(shown, this.shown); i += 1) spans[i].hidden = i >= shown;
    if (shown !== this.shown) followEnd(this.text, this.caret);
    this.shown = shown;
    this.node.classList.toggle("finished", now.finished);
    this.node.classList.toggle("awaited", now.awaited);
    const share = now.finished ? 1 : Math.min(1, now.share);
    if (this.share !== share) this.fill.style.transform = `scaleX(${share})`;
    this.share = share;
    setText(this.rank, now.rank ? RANKS[now.rank] : "");
    this.node.classList.toggle("first", now.rank === 1);
    setText(this.reached, trackWords(lane, now));
    this.set(this.rate, number(now.rate, 0), "tokens a second");
    const times = now.speedup === null ? "" : `${number(now.speedup, 2)}×`;
    const beside = now.withPrompt === null ? "" : `${number(now.withPrompt, 2)}× with the prompt`;
    this.set(this.speedup, times, lane.busy || speedupWords(now.speedup), beside);
    this.speedup.node.classList.toggle("busy", Boolean(lane.busy));
    this.speedup.node.classList.toggle("slower", now.speedup !== null && now.speedup < 1);
    this.set(this.passes, "", passesWords(now));
  }
}
