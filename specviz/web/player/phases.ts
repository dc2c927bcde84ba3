// The phases of a round and where their moments lie. No time of its own, no DOM.

import type { Phase } from "../shared/json_types.ts";
import type { Position } from "../shared/run_types.ts";

export const PHASES: Phase[] = ["draft", "verify", "judge", "commit"];

/** The part of the commit phase after which the round's tokens have joined the text. */
export const JOINED = 0.55;

/** Before there is a round. */
export const NOWHERE: Position = {
  index: -1,
  phase: "draft",
  fraction: 0,
  typed: 0,
  sweep: 0,
  swept: false,
  judged: 0,
  landed: false,
  joined: false,
  committed: 0,
  engine: 0,
  ended: false,
};
