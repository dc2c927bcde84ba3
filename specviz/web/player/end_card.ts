// The card at the end of a run: the whole text by who wrote it, what it took, what decided, and one thing to try. It lies over text and desk.

import { activeIn, button, el, reveal, setText } from "../shared/dom.ts";
import type { PlayerContext } from "../shared/json_types.ts";
import { promptPieces, textPieces } from "../shared/labels.ts";
import { explain } from "../shared/notes.ts";
import { slotsOf } from "../shared/round.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { type EndWords, endWordsOf, firstTimeOf, spokenOf } from "./end_card_text.ts";

/** A text of fewer characters is set larger, one of more smaller; the end of a line counts as so many. */
const [SHORT_TEXT, LONG_TEXT, LINE] = [220, 600, 40];

/** Pixels between two parts of the stage. */
const GAP = 7;

/** The picture of the first lesson with the visitor's own words. */
/** The first lesson's picture with one's own words: guesses of a draft model in every round; and the way back to what is fastest. */
const SWAP = { drafter: "model", k: "4", policy: "fixed" };
const BACK = { drafter: "auto", k: "auto", policy: "auto" };

type EndActions = { again: () => void; shut: () => void };

export class EndCard {
  act: EndActions;
  text = el("div", { class: "end-text", tabindex: 0, role: "group", "aria-label": word("The whole text") });
  drafted = el("span", "end-key accepted");
  own = el("span", "end-key own");
  passes = el("h2", "end-passes");
  value = el("span", "end-speedup");
  label = el("span", "end-label");
  small = el("span", "end-small");
  same = el("span", "end-same");
  cause = el("span", "end-cause");
  try = button("chip end-try", "", () => this.press(this.words?.suggestion?.change));
  swap = button("chip end-swap", word("With a separate draft model"), () => this.press(SWAP));
  back = button("chip end-back", word("Let specviz choose what drafts"), () => this.press(BACK));
  shut = button("chip", word("Last round"), () => this.act.shut());
  advice = el("span", "end-advice");
  node = el("section", { class: "end-card", "aria-label": word("The end of the run"), hidden: true });
  /** Sets the form of the page and runs it; null where there is none. */
  suggest: ((change: Record<string, string>) => void) | null = null;
  /** Whether it stays away, because the last round is being read. */
  closed = false;
  /** What it lies over. */
  covered: HTMLElement[] = [];
  /** The run whose words are shown, and what they are. */
  drawnFor = "";
  words: EndWords | null = null;
  /** The run whose suggestion was taken. */
  taken = "";

  constructor(act: EndActions) {
    this.act = act;
    const keys = el("p", "end-keys", this.drafted, this.own);
    const page = el("div", "end-page", this.text, keys);
    const speed = el("p", "end-speed", this.value, this.label, this.small);
    const again = button("chip", word("Play again"), act.again);
    const ways = el("p", "end-ways", this.try, this.swap, this.back, again, this.shut);
    const figures = el("div", "end-told", this.passes, speed, this.same, this.cause, ways, this.advice);
    this.node.append(figures, page);
  }

  /** Run it with a change of the settings: once. */
  press(change: Record<string, string> | null | undefined) {
    if (!change || !this.suggest) return;
    this.taken = this.drawnFor;
    this.suggest(change);
    this.drawSuggestion();
  }

  /** Show the last round instead, until the viewer goes somewhere else. */
  close() {
    this.closed = true;
    this.show(false, this.covered);
  }

  /** Show or hide it. What it covers cannot be reached meanwhile. */
  show(on: boolean, covered: HTMLElement[]) {
    if (!on && this.node.hidden) return; // what the title covers meanwhile stays covered
    const inside = covered.some((part) => part.contains(activeIn(part)));
    for (const part of this.covered) if (!covered.includes(part)) part.inert = false; // over two lanes it covers others than over rounds
    for (const part of covered) if (part.inert !== on) part.inert = on;
    this.covered = covered;
    if (this.node.hidden !== on) return;
    if (on && inside) this.node.parentElement?.focus({ preventScroll: true });
    reveal(this.node, on);
  }

  /**
   * At the end of a run; `ended` is false anywhere else.
   * @param where what it lies over, down to the part `until`.
   */
  draw(
    run: Run,
    given: PlayerContext,
    { ended, able, over, until }: { ended: boolean; able: string[]; over: HTMLElement[]; until: HTMLElement },
  ) {
    this.show(ended && !this.closed, over);
    if (this.node.hidden) return;
    const key = [run.id, run.rounds.length, JSON.stringify(run.timing?.why), able].join();
    if (this.drawnFor !== key) {
      this.drawnFor = key;
      const words = endWordsOf(run, { able, drafters: given.drafters });
      const separate = run.drafterText.name === SWAP.drafter;
      this.swap.hidden = separate || !able.includes(SWAP.drafter) || !this.suggest;
      this.back.hidden = !separate || run.chosen || words.suggestion?.change?.drafter === BACK.drafter || !this.suggest;
      this.words = { ...words, cause: [firstTimeOf(run, words), words.cause].filter(Boolean).join(" ") };
      this.fill(run);
    }
    this.drawSuggestion();
    this.lay(over, until);
  }

  /** In the place of text and desk. */
  lay(over: HTMLElement[], until: HTMLElement) {
    const root = this.node.parentElement;
    if (!root) return;
    const corner = root.getBoundingClientRect().top;
    const tops = over.flatMap((part) => [part, ...part.children]).map((part) => part.getBoundingClientRect());
    const top = Math.min(...tops.filter(({ height }) => height).map((box) => box.top)) - corner;
    const bottom = until.getBoundingClientRect().top - corner;
    this.node.style.top = `${top}px`;
    this.node.style.height = `${bottom - top - GAP}px`;
  }

  fill(run: Run) {
    if (!this.words) return;
    const { words } = this;
    setText(this.passes, words.passes);
    explain(this.passes, words.passesHow);
    this.node.dataset.mood = words.mood;
    const counts = words.mood === "count" || words.mood === "busy";
    setText(this.value, counts ? "" : words.speedup.value);
    explain(this.value, counts ? "" : words.speedup.how);
    this.value.hidden = counts;
    setText(this.label, counts ? "" : words.speedup.label);
    setText(this.small, words.small);
    setText(this.same, words.same);
    setText(this.cause, words.cause);
    explain(this.cause, words.causeHow);
    setText(this.drafted, words.drafted);
    explain(this.drafted, words.draftedHow);
    setText(this.own, words.own);
    this.write(run);
  }

  /** The text, a span for each token. */
  write(run: Run) {
    const { pieces } = promptPieces(run.bytes, run.promptIds, run.prompt);
    const written = textPieces(run.bytes, [...run.promptIds, ...run.ids]).slice(run.promptIds.length);
    const spans = run.rounds.flatMap((round, index) =>
      slotsOf(round).map((slot, i) => {
        const which = { class: slot === "closing" ? "own" : "accepted", "data-slot": slot, "data-round": index };
        return el("span", which, written[round.start + i]);
      }),
    );
    const letters = [...pieces, ...written].join("").replaceAll("\n", " ".repeat(LINE)).length;
    this.text.dataset.size = letters < SHORT_TEXT ? "large" : letters > LONG_TEXT ? "small" : "";
    this.text.replaceChildren(el("span", "end-prompt", pieces.join("")), ...spans);
    this.text.scrollTop = 0;
  }

  drawSuggestion() {
    const suggestion = this.words?.suggestion ?? null;
    const button = Boolean(suggestion?.change && this.suggest);
    const taken = this.taken === this.drawnFor;
    this.try.hidden = !button;
    this.try.disabled = taken;
    this.swap.disabled = taken;
    setText(this.try, suggestion?.words ?? "");
    explain(this.try, suggestion?.how ?? "");
    const advice = (button ? suggestion?.how : suggestion?.words) ?? "";
    this.advice.hidden = !advice;
    setText(this.advice, advice);
    explain(this.advice, suggestion?.how ?? "");
  }

  /** What a screen reader hears of it; empty while it is not shown. */
  get spoken() {
    return this.words && !this.node.hidden ? spokenOf(this.words) : "";
  }
}
