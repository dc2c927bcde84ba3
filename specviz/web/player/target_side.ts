// The target's side of a pair on the desk: what it would have written in a slot, and how that compares with the draft above it.

import { el, isNew, setLabel, setText } from "../shared/dom.ts";
import type { Round } from "../shared/json_types.ts";
import { number, tokenLabel } from "../shared/labels.ts";
import type { Position } from "../shared/phases.ts";
import { slotAt } from "../shared/round.ts";
import type { Choice, Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { acceptedChoice, choiceAt, closingChoice, comparison } from "./target_choices.ts";

/** Of what the target would have written. */
export const MARK = "◇";

/** The part of the target's sweep after which its choices stand, all at once. */
const READ = 0.5;

const NO_PAIR = { kind: "off", sign: "", word: "", paired: false };

/** How the target's side of a drafted token looks at a moment. While a question is open (`covered`) it stays hidden until the verdict. */
export function pairAt(run: Run, round: Round, position: Position, index: number, covered: boolean) {
  const { judged } = slotAt(round, position, index);
  const read = position.swept || position.sweep >= READ;
  const { verdict } = round.drafted[index];
  const drawn = judged && verdict === "accepted" && !run.drafterText.certain; // then the number has decided, and not the likeliest
  const ownChoice = drawn ? acceptedChoice(round.drafted[index]) : choiceAt(run, round, index);
  const choice = read && (judged || !covered) ? ownChoice : null;
  const sign = judged && verdict !== "discarded" ? comparison(run.drafterText, verdict === "accepted") : NO_PAIR;
  const settled = judged && (run.drafterText.certain || drawn || verdict === "discarded"); // elsewhere the verdict is not on this token
  const settledKind = choice ? `on ${settled ? verdict : "read"}` : "off";
  return { ...sign, choice, paired: true, kind: read && covered && !judged ? "covered" : settledKind };
}

/** The same after the last drafted token, where there is no draft to compare with. */
export function aloneAt(run: Run, round: Round, position: Position, covered: boolean) {
  const read = position.swept || position.sweep >= READ;
  const ends = round.accepted.length === round.drafted.length;
  const choice = read && ends && !covered && !position.landed ? closingChoice(run, round) : null;
  return { ...NO_PAIR, choice, kind: choice ? "on read" : "off" };
}

type Pair = ReturnType<typeof pairAt>;

export class TargetSide {
  node: HTMLSpanElement;
  /** Under which slot it stands for the pointer, as that explains both; the keyboard has that slot. */
  slot: number | null;
  sign = el("span", "sign", "");
  text = el("span", "text", "");
  word = el("span", "word", "");
  mark = el("span", "mark", "");

  constructor(column: HTMLElement, slot: number | null = null) {
    this.slot = slot;
    const words = el("span", "words", this.mark, this.word);
    this.node = el("span", "choice off", this.text, words);
    column.append(this.sign, this.node);
  }

  /** @param pair null where there is no slot. */
  draw(run: Run, pair: Pair | null) {
    const { choice, kind, sign, word } = pair ?? { ...NO_PAIR, choice: null };
    setLabel(this.text, choice && tokenLabel(run.bytes, choice.token));
    const words = choice ? wordsOf(choice, kind) : "";
    setText(this.mark, words && (kind === "on discarded" ? "–" : MARK));
    setText(this.word, words && ` ${words}`);
    if (isNew(this.sign, word))
      this.sign.replaceChildren(...(word ? [el("b", "mark", sign), el("span", "word", ` ${word}`)] : []));
    if (this.slot !== null && choice && pair?.paired) this.node.dataset.slot = String(this.slot);
    else delete this.node.dataset.slot;
    const name = `choice ${kind}`;
    if (this.node.className !== name) this.node.className = name;
  }
}

function wordsOf({ word: own, share }: Choice, kind: string) {
  if (kind === "on discarded") return word("not needed");
  return share === null ? own : `${own}, p ${number(share, 2)}`;
}
