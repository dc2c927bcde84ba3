// The stage as a lesson holds it: at a moment, with a part lit; and the keys that turn a lesson's pages.

import { listenToKeys } from "../player/keys.ts";
import { clockOfMoment } from "../player/moment_clock.ts";
import { Stage } from "../player/stage.ts";
import { wantsStillness } from "../shared/frames.ts";
import type { PlayerContext, View } from "../shared/json_types.ts";
import type { Highlight, Place } from "./lesson_types.ts";
import { WholeTexts } from "./whole_texts.ts";

/** At most so many seconds of the way from one moment to the next are played. */
const MOST_PLAYED = 4;

const FORWARD = ["ArrowRight", "PageDown"];
const BACKWARD = ["ArrowLeft", "PageUp"];
const OWN_KEYS = "input, select, textarea, [role=slider]";

/** Where a key leads: 1 to the next page, -1 to the one before, 0 nowhere. A slider or a list keeps its own keys. */
export function turnOfKey(event: KeyboardEvent) {
  const [target] = event.composedPath();
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return 0;
  if (target instanceof Element && target.matches(OWN_KEYS)) return 0;
  return Number(FORWARD.includes(event.key)) - Number(BACKWARD.includes(event.key));
}

export class LessonStage {
  root: HTMLElement;
  stage: Stage;
  views: Record<string, View> = {};
  given: PlayerContext | null = null;
  recording: string | null = null;
  texts = new WholeTexts();
  /** How many places were pointed at. */
  pointed = 0;

  constructor(root: HTMLElement) {
    this.root = root;
    this.stage = new Stage(root);
    listenToKeys(this.stage);
    this.stage.ofLesson = true;
    this.stage.head.setPace("lesson");
    this.stage.parts.upper.after(this.texts.node);
  }

  /** The recordings that a lesson speaks of; the next moment opens its own afresh. */
  give(views: Record<string, View>, given: PlayerContext) {
    this.views = views;
    this.given = given;
    this.recording = null;
  }

  /** Show a moment on the stage: the way to it is played if it is ahead and near, unless less motion is asked for. */
  point({ recording, moment, lit, asks, whole }: Place, forward: boolean) {
    const { stage, given } = this;
    stage.asks = asks;
    stage.closeWhy();
    if (recording && moment && given && this.views[recording]) {
      const known = this.recording === recording;
      if (!known) stage.show(this.views[recording], given);
      this.recording = recording;
      const still = whole || wantsStillness() || lit.some(({ part }) => part.startsWith("why"));
      stage.move((head) => {
        const from = head.clock;
        const to = clockOfMoment(stage.run, head.plan, moment);
        if (known && forward && from < to && !still) {
          head.seek(Math.max(from, to - MOST_PLAYED), true);
          head.until = to;
        } else head.seek(to);
      });
    }
    this.root.classList.toggle("whole", whole);
    if (whole) this.texts.show(stage.run, stage.given.looks);
    this.pointed += 1;
    const turn = this.pointed;
    requestAnimationFrame(() => {
      for (const { part, slot } of lit) {
        if (part === "why" && slot) stage.openWhy(null, slot - 1);
        else if (part === "why closing") stage.openWhy(null, "closing");
      }
      requestAnimationFrame(() => this.highlight(lit, turn));
    });
  }

  /** Light the parts now, and once more when the way to the moment was played: some of them are only made on that way. */
  highlight(lit: Highlight[], turn: number) {
    if (turn !== this.pointed || !this.root.isConnected) return;
    highlight(this.root, lit);
    this.stage.frames.ask(); // a part that was hidden has a size now
    if (this.stage.head.until !== null) this.whenHeld(() => this.highlight(lit, turn));
  }

  whenHeld(act: () => void) {
    requestAnimationFrame(() => (this.stage.head.until === null ? act() : this.whenHeld(act)));
  }
}

/** Where the parts are that `LIT` of `specviz.lessons.moments` names; {slot} stands for the number of a token. */
const HIGHLIGHTED_PARTS: Record<string, string> = {
  prompt: ".manuscript .prompt",
  text: ".upper > .manuscript",
  typist: ".role.draft",
  editor: ".role.target",
  "draft row": ".role.draft, .column > .slot, .tree",
  "target row": ".role.target, .column > .choice, .column > .closing",
  slot: ".column:nth-child({slot}) > *",
  closing: ".column > .closing",
  token: '.whole-text [data-token="{slot}"]',
  why: ".column:nth-child({slot}) > *, .why",
  "why closing": ".column > .closing, .why",
  figures: ".dial",
  speedup: ".figure.speedup",
  rate: ".figure.rate",
  "tokens per pass": ".figure.perPass",
  accepted: ".figure.accepted",
  caption: ".caption",
  legend: ".legend",
  lanes: ".lanes",
  controls: ".transport",
  comparison: ".whole-verdict",
};

/** What is dimmed where it is not lit: pieces that hold no other piece. */
const PIECES =
  ".figure, .upper > .manuscript, .role, .column > *, .tree, .caption, .legend, .lanes, .transport, .chips, .round-name, .why";

/** Highlight some parts and dim the others, which nobody can reach meanwhile; nothing is dimmed where nothing is lit. */
function highlight(stage: HTMLElement, lit: Highlight[]) {
  const chosen = lit.flatMap(({ part, slot }) => {
    const selector = (HIGHLIGHTED_PARTS[part] ?? "").replaceAll("{slot}", String(slot));
    return selector ? [...stage.querySelectorAll(selector)] : [];
  });
  for (const node of stage.querySelectorAll("[data-lit]")) node.removeAttribute("data-lit");
  for (const node of chosen) node.setAttribute("data-lit", "");
  for (const piece of stage.querySelectorAll(PIECES)) {
    const touched = chosen.some((node) => node === piece || node.contains(piece) || piece.contains(node));
    const dim = lit.length > 0 && !touched;
    piece.toggleAttribute("data-dim", dim);
    piece.toggleAttribute("inert", dim);
  }
}
