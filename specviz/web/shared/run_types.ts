// What the player makes of the JSON (json_types.ts), and what it is handed.

import type {
  Card,
  Description,
  PaceName,
  Phase,
  PlayerContext,
  Prefill,
  Round,
  Rule,
  Status,
  Stop,
  Timing,
} from "./json_types.ts";

export type Bytes = { data: Uint8Array<ArrayBuffer>; special: boolean };

export type ByteTable = Map<number, Bytes>;

/** A token's text for people; `raw` where it is not text as the model wrote it. */
export interface Label {
  text: string;
  raw: boolean;
  /** What a text that cannot be read as it is stands for. */
  says?: string;
}

/** How many tokens, judged drafts and accepted drafts there were after some number of rounds. */
export type Totals = { tokens: number; judged: number; accepted: number };

/** One run's rounds, read: text, times and running totals. */
export interface Track {
  promptIds: number[];
  bytes: ByteTable;
  rounds: Round[];
  /** The new text. */
  ids: number[];
  /** When each round ended, in engine seconds. */
  ends: number[];
  /** Totals after 0, 1, 2 ... rounds. */
  totals: Totals[];
  /** Seconds to read the prompt, by the target and by the drafter; null where they are not known. */
  promptS: number | null;
}

/** The plain run beside a speculative one; `done` when no more of it will come and it was not stopped. */
export type PlainTrack = Track & { done: boolean };

/** After how many layers of the target a trained head reads the states, of how many there are. */
export type Reads = { taps: number[]; of: number };

/** Who drafts, by which rule, in words. */
export interface DrafterText {
  name: string;
  picture: Description["picture"];
  shape: Description["shape"];
  /** The layers of the target that the drafter uses, where the card says so. */
  layers: { used: number[]; of: number } | null;
  /** The states that its trained head reads, where the card says so. */
  reads: Reads | null;
  /** Whether the target's choice is fixed: temperature 0 or shared noise. */
  certain: boolean;
  noise: boolean;
  greedy: boolean;
  rule: Rule;
  lenience: number;
  /** The label of a lossy rule; empty for the exact one. */
  lossy: string;
  /** The drafter's name for people, as the registry writes it, and the same at the beginning of a sentence. */
  label: string;
  /** What the small draft is, in the words of the opening. */
  introduction: string;
  who: string;
  does: string;
  checks: string;
  drafting: string;
  /** While a drafter that copies besides copies. */
  copying: string;
  idle: string;
  verifying: string;
}

/** A run as the stage shows it, live or recorded. */
export interface Run extends Track {
  id: string | null;
  status: Status | null;
  prompt: string;
  k: number;
  limit: number;
  /** When its drafts stop before k tokens. */
  policy: string;
  /** Whether its drafter was left to specviz. */
  chosen: boolean;
  drafterText: DrafterText;
  plain: PlainTrack;
  /** Tokens a second of plain decoding, measured when the pair was loaded. */
  plainRate: number | null;
  branching: boolean;
  /** All speculative rounds have come. */
  complete: boolean;
  /** The whole recording has come. */
  finished: boolean;
  /** Nothing more will come. */
  over: boolean;
  stop: Stop | null;
  card: Card | null;
  prefill: Prefill | null;
  speedups: number[];
  /** How many times it was timed, as far as it counts; 0 where that is not known. */
  timed: number;
  timing: Timing | null;
}

/**
 * The shares of a round's viewer time that its phases take; `turn` is the part of the judging after which the rejection is shown that
 * ends the accepted path, 1 where there is none.
 */
export type Shares = Record<Phase, number> & { turn: number };

/** The viewer's schedule: at which second of the clock each round starts, what its phases take, and where the last one ends. */
export type Plan = { starts: number[]; shares: Shares[]; end: number; pace: PaceName };

/** A node of a drawn tree: depth from the root, and row. */
export type Node2D = { depth: number; row: number };

export type Layout = { nodes: Node2D[]; rows: number; depth: number };

/** What the target would have written at a position: its one choice, or its most likely token with the probability of that. */
export type Choice = { token: number; word: string; share: number | null };

/** A drafted token by its index, or the round's closing token. */
export type Slot = number | "closing";

/** What Streamlit hands to a component, and a page of its own to the same one. */
export interface ComponentOf<Data> {
  data: Data | null;
  parentElement: Document | Element | ShadowRoot;
  setTriggerValue?: (name: string, value: unknown) => void;
}

/** Of a run or a race. `begun` is where the run comes from that the page has begun last. */
export type Component<Shown> = ComponentOf<{ view: Shown; begun?: string } & PlayerContext>;
