// The list of keys, opened with a question mark.

import { activeIn, button, el, isNew } from "../shared/dom.ts";
import { hideNote } from "../shared/notes.ts";
import { english, word } from "../shared/words.ts";

const KEYS = [
  [
    english("Space"),
    english("play or pause; in the pace Key by key, the next phase; of two lanes, the round as it stands"),
  ],
  ["→  ←", english("a round forward or back")],
  [".  ,", english("a phase forward or back")],
  [english("PgDn  PgUp"), english("in a talk, as a remote control sends them: a round forward or back")],
  ["n  N", english("the next rejection, or the one before")],
  [english("Home  End"), english("to the start, to the end")],
  ["]  [", english("a faster or a slower pace")],
  ["w", english("why: the probabilities and the random number of a verdict")],
  ["c", english("the round as cards, draft and target pair by pair, or in the text")],
  ["b", english("show in the text where rounds begin")],
  ["l", english("the lanes: show or hide what is still to come")],
  ["p", english("predict: say how many guesses will be accepted")],
  ["k", english("k, the number of drafted tokens, beside Run")],
  [english("0 to 9"), english("your prediction: how many are accepted")],
  ["?", english("this list; Escape closes it")],
];

/** Keys of a stage that leads a room. */
const ROOM_KEYS = [["v", english("ask the room how many will be accepted; again: end the vote and show the answer")]];

export class KeysHelp {
  node = el("div", { class: "help", role: "dialog", "aria-label": word("Keys"), hidden: true });
  list = el("dl", "keys");
  shut = button("chip", word("Close"), () => this.toggle(false));
  before: Element | null = null;

  constructor() {
    this.lead(false);
    this.node.append(this.list, this.shut);
    this.node.addEventListener("keydown", (event) => event.key === "Tab" && event.preventDefault()); // beneath it nothing is seen
  }

  /** @param leads whether the stage leads a room, which has keys of its own. */
  lead(leads: boolean) {
    if (!isNew(this, leads)) return;
    const rows = leads ? [...KEYS, ...ROOM_KEYS] : KEYS;
    this.list.replaceChildren(...rows.flatMap(([key, does]) => [el("dt", "", word(key)), el("dd", "", word(does))]));
  }

  toggle(open = this.node.hidden) {
    if (open === !this.node.hidden) return;
    this.node.hidden = !open;
    if (open) {
      this.before = activeIn(this.node);
      hideNote();
      this.shut.focus();
    } else if (this.before instanceof HTMLElement) {
      this.before.focus();
    }
  }
}
