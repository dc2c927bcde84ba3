// The keyboard of the stage: which key does what, and which belong to somebody else. What they do is the stage's own business.

import { listenForKeys, SLIDER_KEYS } from "../shared/dom.ts";
import { word } from "../shared/words.ts";
import { SLIDER } from "./recut_text.ts";
import { PACES } from "./schedule.ts";
import type { Stage } from "./stage.ts";

/** So long the slider of the draft length may take to open. */
const OPENING_MS = 1000;
/** A key that is held does again and again what goes one step on or back; anything else it does once. */
const REPEATED = ["ArrowRight", "ArrowLeft", ".", ",", "n", "N", "]", "[", "PageDown", "PageUp"];

/** Key -> what it does; a part that a lesson leaves out has no key either. */
function keysOf(stage: Stage): Record<string, () => void> {
  const unless: (part: string, act: () => void) => () => void = (part, act) => () => {
    if (!stage.hidden.includes(part)) act();
  };
  const digits = Array.from("0123456789", (digit) => [digit, () => betByKey(stage, Number(digit))]);
  return {
    " ": () => (stage.paired ? stage.showRounds(true) : stage.togglePlay()),
    ArrowRight: () => stage.step((head) => head.step(1)),
    ArrowLeft: () => stage.turn((head) => head.step(-1)),
    ".": () => stage.step((head) => head.phase(1)),
    ",": () => stage.turn((head) => head.phase(-1)),
    n: () => stage.turn((head) => head.rejection(1)),
    N: () => stage.turn((head) => head.rejection(-1)),
    Home: () => stage.turn((head) => head.seek(0)),
    End: () => stage.turn((head) => head.seekOn(head.plan.end)),
    "]": unless("pace", () => stage.turn((head) => head.shiftPace(1))),
    "[": unless("pace", () => stage.turn((head) => head.shiftPace(-1))),
    l: unless("lanes", () => stage.parts.lanes.toggleAhead()),
    w: () => stage.toggleWhy(),
    b: unless("rounds", () => stage.toggleRounds()),
    c: unless("cards", () => stage.toggleCards()),
    k: lengthBesideRun,
    p: unless("predict", () => stage.togglePredict()),
    "?": unless("keys", () => stage.parts.help.toggle()),
    Escape: () => closeTopmost(stage),
    ...(stage.presented ? { PageDown: () => presentersKey(stage, 1), PageUp: () => presentersKey(stage, -1) } : {}),
    ...(stage.vote || stage.presented ? { v: () => askRoom(stage), V: () => askRoom(stage) } : {}),
    ...Object.fromEntries(digits),
  };
}

/** Press the draft length beside Run, where the page has one; its slider, which the page brings a moment later, has the next keys. */
function lengthBesideRun() {
  const button = document.querySelector(".st-key-k-beside button");
  if (!(button instanceof HTMLElement)) return;
  const opens = button.ariaExpanded !== "true";
  button.click();
  const late = performance.now() + OPENING_MS;
  const look = () => {
    const slider = document.querySelector<HTMLElement>(SLIDER);
    if (slider) slider.focus({ preventScroll: true });
    else if (performance.now() < late) requestAnimationFrame(look);
  };
  if (opens) look();
}

/** The stage's keys: wherever the focus is on it, or nowhere. */
export function listenToKeys(stage: Stage) {
  listenForKeys(stage.root, (event) => hearKey(stage, event));
}

function hearKey(stage: Stage, event: KeyboardEvent) {
  const { key, target } = event;
  if (!(target instanceof Element) || event.metaKey || event.ctrlKey || event.altKey) return;
  if (target.matches("select, textarea") || (target.matches("input") && SLIDER_KEYS.includes(key))) return;
  if (key === " " && target.tagName === "BUTTON") return;
  const act = keysOf(stage)[key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat && !REPEATED.includes(key)) return;
  act();
  stage.leaveTitle();
}

/** Begin or end a vote; where this stage leads no room, say what is missing. */
function askRoom(stage: Stage) {
  if (stage.vote) stage.vote();
  else stage.say(word("V asks the audience of a room: open one under Room first."));
}

/** A button of a presenter's remote control: on the title it presses Play. */
function presentersKey(stage: Stage, by: number) {
  if (by > 0 && stage.titled) stage.turn((head) => head.seek(0, true));
  else if (by > 0 && PACES[stage.head.pace].byHand) stage.step((head) => head.playPhase());
  else stage.step((head) => head.step(by));
}

function betByKey(stage: Stage, guess: number) {
  const { run, head } = stage;
  const { bets } = stage.parts;
  const { position } = head;
  if (!bets.asks(head, position)) return;
  if (run.rounds[position.index].drafted.length < 10) bets.bet(run, position.index, guess);
}

function closeTopmost(stage: Stage) {
  if (!stage.parts.help.node.hidden) stage.parts.help.toggle(false);
  else if (!stage.parts.end.node.hidden) stage.parts.end.close();
  else stage.closeWhy();
}
