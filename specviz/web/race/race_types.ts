// The lanes of a race, as they come from the server and as they are shown.

import type { Lead, PageText, Source } from "../shared/json_types.ts";

export interface Badge<Text = string> {
  kind: string;
  text: Text;
  how: Text;
}

/** A lane as the server describes it, or in the reader's language. */
export interface LaneView<Text = PageText> {
  name: Text;
  /** The drafter that it is called by; absent where it is not. */
  drafter?: string;
  words: Text;
  kind: "plain" | "speculative";
  state: "waiting" | "recording" | "done" | "stopped" | "missing";
  say: Text;
  how: Text;
  /** What stands instead of a speedup that is not trusted; empty where it is. */
  busy: Text;
  /** Whether all timings are done, so that it is known whether its times are trusted. */
  judged: boolean;
  badge: Badge<Text> | null;
  prompt: string;
  /** The most tokens it may write. */
  asked: number;
  source: Source | null;
  /** Of a lane with another text than the others: plain decoding of the same prompt. */
  alone?: Source | null;
}

export interface RaceView {
  id: string;
  race: boolean;
  live: boolean;
  note: PageText;
  hint: PageText;
  plain_rate: number | null;
  /** Whether it opens in real time: a model whose pace can be read. */
  real_time: boolean;
  talk?: boolean;
  /** Where the rounds of a live race come from. */
  events?: string | null;
  /** The room that it leads, and whether it goes where the presenter of a room goes. */
  lead?: Lead | null;
  following?: boolean;
  lanes: LaneView[];
}

/** How far a lane and the plain lane are apart at a moment. */
export interface Gap {
  /** Tokens apart while both write; after one has finished, whether this lane was the earlier or the later one. */
  kind: "ahead" | "behind" | "level" | "earlier" | "later" | "together";
  /** Both have finished. */
  final: boolean;
  /** Tokens apart while both write; then what the second one still has to write, null where that is not known. */
  tokens: number | null;
  /** How many tokens fewer than plain decoding this lane has written in the end. */
  fewer: number;
  /** Seconds of the clock: when the first of the two finished, and now or when the other one did; both 0 while both write. */
  from: number;
  to: number;
}
