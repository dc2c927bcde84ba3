// The list of keys, opened with a question mark.

import { activeIn, el } from "../shared/dom.js";

const KEYS = [
  ["Space", "play or pause; in the pace Key by key, the next phase"],
  ["→  ←", "a round forward or back"],
  [".  ,", "a phase forward or back"],
  ["PgDn  PgUp", "in a talk, as a remote control sends them: a round forward or back"],
  ["n  N", "the next rejection, or the one before"],
  ["Home  End", "to the start, to the end"],
  ["]  [", "a faster or a slower pace"],
  ["w", "why: the probabilities and the random number of a verdict"],
  ["c", "the round as cards, draft and target pair by pair, or in the text"],
  ["b", "show in the text where rounds begin"],
  ["l", "the lanes: show or hide what is still to come"],
  ["p", "predict: say how many guesses will be accepted"],
  ["k", "what another k, the number of drafted tokens, is predicted to bring"],
  ["0 to 9", "your prediction: how many are accepted"],
  ["?", "this list; Escape closes it"],
];

/** Keys of a stage that leads a room. */
const ROOM_KEYS = [["v", "ask the room how many will be accepted; again: end the vote and show the answer"]];

export class KeysHelp {
  constructor() {
    this.node = el("div", "help");
    this.node.setAttribute("role", "dialog");
    this.node.setAttribute("aria-label", "Keys");
    this.node.hidden = true;
    this.list = el("dl", "keys");
    this.leads = false;
    this.fill();
    this.shut = el("button", "chip", "Close");
    this.shut.type = "button";
    this.shut.addEventListener("click", () => this.toggle(false));
    this.node.append(this.list, this.shut);
    /** @type {Element | null} */
    this.before = null;
  }

  /** @param {boolean} leads whether the stage leads a room, which has keys of its own. */
  lead(leads) {
    if (leads === this.leads) return;
    this.leads = leads;
    this.fill();
  }

  fill() {
    const rows = this.leads ? [...KEYS, ...ROOM_KEYS] : KEYS;
    this.list.replaceChildren(...rows.flatMap(([key, does]) => [el("dt", "", key), el("dd", "", does)]));
  }

  toggle(open = this.node.hidden) {
    if (open === !this.node.hidden) return;
    this.node.hidden = !open;
    if (open) {
      this.before = activeIn(this.node);
      this.shut.focus();
    } else if (this.before instanceof HTMLElement) {
      this.before.focus();
    }
  }
}
