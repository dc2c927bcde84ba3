// One drafted token, or one closing token, on the desk.

/** @import { Label, Looks, DrafterText, Position, Round, Slotted } from "../shared/types" */

import { el, setLabel } from "../shared/dom.js";
import { slotAt } from "../shared/round.js";
import { drawnHead } from "../shared/trained_heads.js";
import { word } from "../shared/words.js";

/**
 * What a slot does: `point` when it is pointed at, with null when it is left; `open` when it is chosen.
 * @typedef {{ point: (slot: Slotted | null) => void, open: (slot: Slotted) => void }} SlotActions
 */

export class TokenSlot {
  /** @param {Slotted} slot @param {SlotActions} act */
  constructor(slot, act, className = "slot") {
    this.node = el("button", className);
    this.base = className;
    this.node.type = "button";
    this.text = el("span", "text", "");
    this.verdict = el("span", "verdict", "");
    this.node.append(this.text, this.verdict);
    for (const event of ["pointerenter", "focus"]) this.node.addEventListener(event, () => act.point(slot));
    for (const event of ["pointerleave", "blur"]) this.node.addEventListener(event, () => act.point(null));
    this.node.addEventListener("click", () => {
      if (this.node.getAttribute("aria-disabled") === "false") act.open(slot);
    });
    this.draw(null, "idle", "", {});
  }

  /**
   * @param {Label | null} label null for an empty slot.
   * @param {string} kind the name of its kind for the style sheet.
   * @param {string} verdict names a look, or is empty.
   * @param {Looks} looks
   */
  draw(label, kind, verdict, looks) {
    setLabel(this.text, label);
    const name = `${this.base} ${kind}${label?.raw ? " raw" : ""}`;
    if (this.node.className !== name) this.node.className = name;
    this.node.setAttribute("aria-disabled", String(!label));
    if (label) this.node.removeAttribute("aria-label");
    else this.node.setAttribute("aria-label", word("empty slot"));
    this.node.tabIndex = label ? 0 : -1;
    this.drawVerdict(verdict, looks);
  }

  /**
   * Mark and word; where columns are narrow the word is left to the legend.
   * @param {string} name
   * @param {Looks} looks
   */
  drawVerdict(name, looks) {
    if ((this.verdict.dataset.name ?? "") === name) return;
    this.verdict.dataset.name = name;
    const look = name ? looks[name] : null;
    this.verdict.replaceChildren(...(look ? [el("span", "mark", look.mark), el("span", "word", ` ${look.word}`)] : []));
  }
}

/**
 * How a drafted token looks at a moment: the name of its kind for the style sheet. A head that guesses at once has all slots in hand.
 * @param {Pick<DrafterText, "picture">} drafterText
 * @param {Round} round
 * @param {Position} position
 * @param {number} index
 */
export function kindOf(drafterText, round, position, index) {
  const drafted = round.drafted[index];
  if (!drafted) return "idle";
  const { typed, judged } = slotAt(round, position, index);
  if (judged) return drafted.verdict;
  if (typed) return "typed";
  if (position.phase !== "draft") return "open";
  return index === position.typed || drawnHead(drafterText)?.order === "at once" ? "open next" : "open";
}
