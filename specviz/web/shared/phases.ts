// The phases of a round and where their moments lie. No time of its own, no DOM.

import type { Phase } from "./json_types.ts";

export const PHASES: Phase[] = ["draft", "verify", "judge", "commit"];

/** The part of the commit phase after which the round's tokens have joined the text. */
export const JOINED = 0.55;

/** Before there is a round. */
export const NOWHERE = {
  /** Of the round; -1 before there is one. */
  index: -1,
  phase: "draft" as Phase,
  /** How much of the phase has passed, 0 to 1. */
  fraction: 0,
  /** Drafted tokens that are typed. */
  typed: 0,
  /** How far the target's pass has swept, 0 to 1. */
  sweep: 0,
  swept: false,
  /** Verdicts that are shown. */
  judged: 0,
  /** The commit phase has begun. */
  landed: false,
  /** The round's tokens have joined the text. */
  joined: false,
  /** New tokens in the text. */
  committed: 0,
  /** Seconds of the engine's clock. */
  engine: 0,
  ended: false,
};

/** Where a run is at one moment of the viewer's clock. */
export type Position = typeof NOWHERE;
