// The text cut into passes for the draft length under the hand, while the page's slider for it is open: nothing runs for it.

import { el, isNew, setText } from "../shared/dom.ts";
import { isTrusted } from "../shared/figures.ts";
import { number, passCount } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { canBeCut, cutFor, followsText, LENGTHS, speedupsOf } from "./other_lengths.ts";

/** The slider of the page, in its popover. */
export const SLIDER = '[data-testid="stPopoverBody"] input[aria-label="Draft length k"]';

export class LengthStrip {
  words = el("p", "length-words");
  how = el("p", "length-how");
  blocks = el("div", { class: "length-blocks", "aria-hidden": "true" });
  bars = el(
    "div",
    { class: "length-bars", "aria-hidden": "true" },
    ...LENGTHS.map((k) => el("span", "", el("i"), el("b", "", String(k)))),
  );
  node = el(
    "div",
    { class: "length-strip", role: "status", hidden: true },
    this.words,
    this.blocks,
    this.bars,
    this.how,
  );

  draw(run: Run, k: number | null) {
    this.node.hidden = k === null || !canBeCut(run);
    if (k === null || this.node.hidden || !isNew(this, run.id, run.finished, k)) return;
    const cut = cutFor(run, k);
    const speedups = isTrusted(run) ? speedupsOf(run) : [];
    const best = LENGTHS[speedups.indexOf(Math.max(...speedups))];
    const passes = passCount(cut.passes.length);
    const said = word("k = {k}: {passes} for the same {tokens} tokens.", { k, passes, tokens: run.ids.length });
    const speed = speedups.length
      ? ` ${word("By this run's times about {speed}× as fast as plain; the best k is {best}.", { speed: number(speedups[k - 1]), best })}`
      : "";
    setText(this.words, said + speed);
    setText(this.how, howKnown(run, cut.estimated));
    this.blocks.replaceChildren(...cut.passes.map((tokens) => el("span", { "--tokens": tokens }, String(tokens))));
    const most = Math.max(1, ...speedups);
    LENGTHS.forEach((length, i) => {
      const bar = this.bars.children[i] as HTMLElement;
      bar.className = [length === k && "now", length === best && speedups.length && "best"].filter(Boolean).join(" ");
      bar.style.setProperty("--share", String((speedups[i] ?? 0) / most));
    });
    this.bars.hidden = !speedups.length;
  }
}

function howKnown(run: Run, estimated: number) {
  const source = followsText(run)
    ? word("Calculated from the guesses of this run; press Run to measure it.")
    : word("Estimated: what this drafter guesses depends on where its round begins. Press Run to measure it.");
  const missing = several(estimated, "{n} [guess was|guesses were] not made in this run and [is|are] assumed.");
  return estimated ? `${source} ${missing}` : source;
}

/** Call with the draft length under the hand whenever it changes, with null when the slider is closed or left to specviz. */
export function followLength(tell: (k: number | null) => void) {
  let last: number | null = null;
  const look = () => {
    const slider = document.querySelector(SLIDER);
    const k = Number(slider?.getAttribute("aria-valuetext")) || null;
    if (k !== last) tell(k);
    last = k;
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["aria-valuetext"],
  });
}
