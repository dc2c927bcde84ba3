// Under the text of a step that can be measured: the button, how far it is, and the sentence with the result.

/** @import { Measurement } from "../types" */
/** @import { MeasuredNow } from "./measured_link.js" */

import { button, el, setText } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";
import { filledIn } from "../../shared/words.js";
import { remarkOf, sentenceOf, whenOf } from "./measured_sentence.js";

const MEASURING_NOW = ["queued", "loading", "running"];

/**
 * @typedef {{ kind: string, now: MeasuredNow | null, words: Record<string, string>, language: string }} MeasuringGiven
 */

export class MeasureButton {
  /** @param {(name: string) => void} ask to measure this, or "stop" */
  constructor(ask) {
    this.kind = "";
    this.sentence = el("p", { class: "measured-sentence", role: "status" });
    this.remark = el("p", "learn-faint");
    this.what = el("p", "measuring-what");
    this.done = el("div", "measuring-done");
    this.bar = el("div", { class: "measuring-bar", role: "progressbar" }, this.done);
    this.problem = el("p", { class: "measuring-problem", role: "alert" });
    this.start = button("learn-button measure", "", () => ask(this.kind));
    this.stop = button("learn-button measure-stop", "", () => ask("stop"));
    this.when = el("p", "learn-faint");
    const row = el("div", "measuring-row", this.start, this.stop, this.when);
    this.node = el("div", "measuring", this.sentence, this.remark, this.what, this.bar, this.problem, row);
    this.node.setAttribute("aria-live", "off"); // the sentence and a problem speak for themselves
    this.said = "";
  }

  /** @param {MeasuringGiven} given */
  show({ kind, now, words, language }) {
    const other = kind !== this.kind;
    this.kind = kind;
    const request = now?.request?.kind === kind ? now.request : null;
    const kept = now?.results[kind] ?? null;
    const live = Boolean(request && MEASURING_NOW.includes(request.status));
    const held = this.node.matches(":focus-within");
    this.fillSentence(kept?.result ?? null, words, language);
    setText(this.start, kept ? words.measure_again : words.measure);
    setText(this.stop, words.measure_stop);
    this.start.hidden = live;
    this.stop.hidden = !live;
    this.node.classList.toggle("live", live);
    if (held && !other) (live ? this.stop : this.start).focus({ preventScroll: true });
    const age = kept && now ? kept.age_s + (performance.now() - now.at) / 1000 : 0;
    setText(this.when, live ? "" : kept ? whenOf(kept.result, age, words) : words.measure_takes);
    this.progress(live ? request : null, words);
    const problem = request?.status === "failed" ? request.message : "";
    setText(this.problem, problem || (request?.status === "cancelled" && !kept ? words.measure_stopped : ""));
    this.problem.hidden = !this.problem.textContent;
  }

  /** @param {MeasuredNow["request"]} request @param {Record<string, string>} words */
  progress(request, words) {
    this.what.hidden = this.bar.hidden = !request;
    if (!request) return;
    const { queue_position: before, share, what } = request;
    setText(this.what, before ? filledIn(words.measure_queue, { count: before }) : what || words.measure_begins);
    this.bar.setAttribute("aria-label", words.measure);
    this.bar.classList.toggle("unknown", share === null);
    this.done.style.transform = `scaleX(${share ?? 1})`;
    if (share === null) this.bar.removeAttribute("aria-valuenow");
    else this.bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  }

  /**
   * Only where it changed: a screen reader speaks it then.
   * @param {Measurement | null} result
   * @param {Record<string, string>} words
   * @param {string} language
   */
  fillSentence(result, words, language) {
    const said = JSON.stringify([result, language]);
    if (said === this.said) return;
    this.said = said;
    this.sentence.hidden = !result;
    setText(this.remark, result ? remarkOf(result, words) : "");
    this.remark.hidden = !this.remark.textContent;
    this.node.classList.toggle("trusted", Boolean(result && !result.disturbed));
    this.node.classList.toggle("disturbed", Boolean(result?.disturbed));
    if (!result) return;
    this.sentence.replaceChildren(
      ...sentenceOf(result, words, language).map(({ text, how }) => {
        if (how === undefined) return document.createTextNode(text);
        const figure = el("span", "lesson-figure", text);
        explain(figure, how);
        return figure;
      }),
    );
  }
}
