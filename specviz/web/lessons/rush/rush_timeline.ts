// What is to be seen of rush hour at a moment of the viewer's clock. Pure, no DOM.

import type { RushMode } from "../lesson_types.ts";
import { type Drafting, GUESTS } from "./rush_costs.ts";

/**
 * `guests`: how many share the pass, `before`: how many did a moment ago, `share`: how far the change has come, from 0 to 1. `drafting` was
 * "all" before the change.
 */
export type RushScene = { guests: number; before: number; drafting: Drafting; share: number; ended: boolean };

/** Seconds of the viewer between two arrivals; how long the full server is seen before something changes, and how long that takes. */
const ARRIVAL_S = 1.3;
const [HOLD_S, CHANGE_S] = [1.8, 1.2];
const MOST = GUESTS[GUESTS.length - 1];

export function rushEnd(mode: RushMode) {
  if (mode === "one guest") return 0;
  return mode === "rush hour" ? ARRIVAL_S * GUESTS.length : HOLD_S + CHANGE_S;
}

/** The clock at which the arrival of so many guests (an index of `GUESTS`) is over. */
export function clockOfArrival(index: number) {
  return ARRIVAL_S * (index + 1);
}

/** @param clock seconds of the viewer. */
export function rushSceneAt(mode: RushMode, clock: number): RushScene {
  const ended = clock >= rushEnd(mode);
  if (mode === "one guest") return { guests: 1, before: 1, drafting: "all", share: 1, ended };
  if (mode === "rush hour") {
    const index = Math.min(GUESTS.length - 1, Math.max(0, Math.ceil(clock / ARRIVAL_S) - 1));
    const share = Math.min(1, Math.max(0, clock / ARRIVAL_S - index) * 2);
    return { guests: GUESTS[index], before: GUESTS[index - 1] ?? 0, drafting: "all", share, ended };
  }
  const share = Math.min(1, Math.max(0, (clock - HOLD_S) / CHANGE_S));
  const after = mode === "routing" ? "some" : "none";
  return { guests: MOST, before: MOST, drafting: share > 0 ? after : "all", share, ended };
}
