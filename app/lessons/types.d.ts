// The shapes that a lesson's scripts read: JSON as `specviz.lessons.lesson` writes it.

import type { Given, Phase, View } from "../player/types.ts";

/** A moment of a recording: so much of a phase has passed, or exactly `count` tokens are drafted or judged. */
export interface Moment {
  /** Index, from 0. */
  round: number;
  phase: Phase;
  /** From 0, the phase's beginning, to 1, its last moment. */
  part: number;
  count: number | null;
}

/** A part of the stage that is lit; `slot` is the number of a drafted token, from 1. */
export interface Lit {
  part: string;
  slot: number | null;
}

export interface Place {
  recording: string | null;
  moment: Moment | null;
  lit: Lit[];
}

/** The data of an exported lesson: what the stage shows at each section, and after the answer of one that asks. */
export interface ExportedLesson extends Given {
  views: Record<string, View>;
  places: Place[];
  answers: (Place | null)[];
}
