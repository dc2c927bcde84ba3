// The text cut into passes for the draft length under the hand, while the page's slider for it is open: nothing runs for it.

import { END } from "../opening/duel_lanes.ts";
import { HOW_TOKENS_COME } from "../opening/duel_words.ts";
import { el, isNew, setText } from "../shared/dom.ts";
import { isTrusted } from "../shared/figures.ts";
import { number, passCount, textPieces } from "../shared/labels.ts";
import type { Run } from "../shared/run_types.ts";
import { several, word } from "../shared/words.ts";
import { type Cut, canBeCut, cutFor, followsText, LENGTHS, speedupsOf } from "./other_lengths.ts";

/** The slider of the page, in its popover. */
export const SLIDER = '[data-testid="stPopoverBody"] input[aria-label="Draft length k"]';

export class RecutText {
  words = el("p", { class: "recut-words", role: "status" });
  how = el("p", "recut-how");
  text = el("p", { class: "recut-text", "aria-hidden": "true" });
  keys = HOW_TOKENS_COME.map(({ how, words }) => el("span", `duel-key ${how}`, el("i"), word(words)));
  bars = el(
    "div",
    { class: "recut-bars", "aria-hidden": "true" },
    ...LENGTHS.map((k) => el("span", "", el("i"), el("b", "", String(k)))),
  );
  node = el(
    "div",
    { class: "recut", hidden: true },
    this.words,
    el("p", { class: "recut-keys", "aria-hidden": "true" }, ...this.keys),
    this.text,
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
    this.text.replaceChildren(...boxesOf(run, cut));
    const most = Math.max(1, ...speedups);
    LENGTHS.forEach((length, i) => {
      const bar = this.bars.children[i] as HTMLElement;
      bar.className = [length === k && "now", length === best && speedups.length && "best"].filter(Boolean).join(" ");
      (bar.children[0] as HTMLElement).dataset.speedup = bar.className && `${number(speedups[i])}×`;
      bar.style.setProperty("--share", String((speedups[i] ?? 0) / most));
    });
    this.bars.hidden = !speedups.length;
  }
}

/** A box for each pass, without the space before it: the guesses that it accepts, and the token that ends it. */
function boxesOf({ bytes, promptIds, ids }: Run, { passes, closings }: Cut) {
  const pieces = textPieces(bytes, [...promptIds, ...ids]).slice(promptIds.length);
  if (bytes.get(ids[ids.length - 1])?.special) pieces[pieces.length - 1] = END;
  let at = 0;
  return passes.flatMap((tokens, i) => {
    const texts = pieces.slice(at, at + tokens);
    const [lead] = /^ */.exec(texts[0]) ?? [""];
    texts[0] = texts[0].slice(lead.length);
    at += tokens;
    const spans = texts.map((text, nth) => el("span", nth < tokens - 1 ? "accepted" : closings[i], text));
    return [lead, el("span", "recut-pass", ...spans)];
  });
}

function howKnown(run: Run, estimated: number) {
  const source = followsText(run)
    ? word("Calculated from the guesses of this run, as if every round drafted k tokens; press Run to measure it.")
    : word(
        "Estimated, as if every round drafted k tokens: what this drafter guesses depends on where its round begins. Press Run to measure it.",
      );
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
