// One drafted token, or one closing token, on the desk.

import { el, isNew, setLabel } from "../shared/dom.ts";
import type { Looks, Round } from "../shared/json_types.ts";
import type { Position } from "../shared/phases.ts";
import { slotAt } from "../shared/round.ts";
import type { DrafterText, Label, Slot } from "../shared/run_types.ts";
import { drawnHead } from "../shared/trained_heads.ts";

export class TokenSlot {
  node: HTMLButtonElement;
  base: string;
  text = el("span", "text", "");
  verdict = el("span", "verdict", "");

  constructor(slot: Slot, className = "slot") {
    this.base = className;
    this.node = el("button", { type: "button", "data-slot": slot }, this.text, this.verdict);
    this.draw(null, "idle", "", {});
  }

  /**
   * @param label null for an empty slot.
   * @param kind the name of its kind for the style sheet.
   * @param verdict names a look, or is empty.
   */
  draw(label: Label | null, kind: string, verdict: string, looks: Looks) {
    setLabel(this.text, label);
    const name = `${this.base} ${kind}${label?.raw ? " raw" : ""}`;
    if (this.node.className !== name) this.node.className = name;
    this.node.setAttribute("aria-disabled", String(!label));
    this.node.ariaHidden = label ? null : "true";
    this.node.tabIndex = label ? 0 : -1;
    if (!isNew(this.verdict, verdict)) return;
    const look = verdict ? looks[verdict] : null; // where columns are narrow its word is left to the legend
    this.verdict.replaceChildren(...(look ? [el("span", "mark", look.mark), el("span", "word", ` ${look.word}`)] : []));
  }
}

/** How a drafted token looks at a moment: the name of its kind for the style sheet. A head that guesses at once has all slots in hand. */
export function kindOf(drafterText: Pick<DrafterText, "picture">, round: Round, position: Position, index: number) {
  const drafted = round.drafted[index];
  if (!drafted) return "idle";
  const { typed, judged } = slotAt(round, position, index);
  if (judged) return drafted.verdict;
  if (typed) return "typed";
  if (position.phase !== "draft") return "open";
  return index === position.typed || drawnHead(drafterText)?.order === "at once" ? "open next" : "open";
}
