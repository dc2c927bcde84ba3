// What comes as JSON from Python: `specviz.trace.records` field by field, and the data of the components.

/** What comes as JSON, or from a script that is loaded: who reads it knows its shape. */
// biome-ignore lint/suspicious/noExplicitAny: nothing checks it against a type
export type Json = any;

export type Verdict = "accepted" | "rejected" | "discarded";
/** "own" is made by reading, where nothing was drafted; the record has the other two. */
type ClosingHow = "corrected" | "bonus" | "own";
export type Stop = "length" | "end_of_text" | "cancelled";

/** The top tokens of one distribution, most probable first; four columns of one length. */
export interface Top {
  tokens: number[];
  /** The model's raw scores. */
  logits: number[];
  /** Softmax of the logits at temperature 1. */
  probabilities: number[];
  /** What the acceptance rule used, after temperature, top-k and top-p. */
  rule: number[];
}

/** One proposed token. */
export interface Drafted {
  token: number | null;
  /** Index of the drafted token that it follows; -1 for the last committed token. */
  parent: number;
  draft_prob: number | null;
  target_prob: number | null;
  draw: number | null;
  verdict: Verdict;
  /** A head's estimate, before the token was drawn, that it is accepted. */
  confidence?: number | null;
  bound?: number | null;
  draft_top?: Top;
  target_top?: Top;
}

/** The target's own token that ends a round. */
type Closing = { token: number; how: ClosingHow; draw: number | null; residual_top?: Top };

/** Draft, verify, judge, commit: once. Times are seconds of the engine's clock. */
export interface Round {
  start: number;
  drafted: Drafted[];
  /** Indices into `drafted`: the accepted path. */
  accepted: number[];
  closing: Closing | null;
  began_s: number;
  draft_s: number;
  verify_s: number;
  ended_s: number;
  /** Index in prompt and text that the draft was copied from; in an earlier text where `source_text` has its number. */
  source?: number | null;
  /** Index in the run's `earlier`. */
  source_text?: number | null;
  /** The end of the text for which that was found. */
  match?: { length: number; occurrences?: number | null; followed?: number | null } | null;
  /** How many tokens the policy "auto" let it draft: 0 where drafting did not pay. */
  allowed?: number | null;
  /** Of a room: its verdicts have not been shown on the presenter's stage, and are not here. */
  covered?: boolean;
}

interface TokenBytes {
  /** Base64. */
  data: string;
  special?: boolean;
}

export type TokenTable = Record<string, TokenBytes>;

/** The part of a trace, or of a live run, that gives its text and its times. */
export interface Source {
  prompt_ids: number[];
  /** Ids of earlier texts of the visit that the drafter could copy from. */
  earlier?: number[][];
  tokens: TokenTable;
  rounds: Round[];
  /** Seconds to read the prompt, where they are known. */
  prefill?: Prefill | null;
}

/** Who drafted, as the pair card says it. */
interface DrafterCard {
  name: string;
  label: string;
  /** Indices of the target's layers that the drafter uses, first layer 0. */
  layers?: number[] | null;
  /** After how many of the target's layers its trained head reads the states. */
  taps?: number[] | null;
}

export interface Card {
  target: { layers: number };
  draft?: { layers: number } | null;
  drafter: DrafterCard;
  device: string;
  dtype: string;
  /** Libraries, and of a shipped recording where, when and how it was timed. */
  versions?: [string, string][];
  /** Sentences about what was set aside or not captured. */
  notes?: string[];
}

export interface Settings {
  k: number;
  temperature?: number;
  max_new_tokens?: number;
  drafter?: string;
  policy?: string;
  rule?: Rule;
  lenience?: number;
  shared_noise?: boolean;
}

export type Rule = "exact" | "block" | "lenient";

export type Prefill = { target_s: number; draft_s: number };

export interface Trace extends Source {
  card: Card;
  prompt: string;
  settings: Settings;
  prefill: Prefill;
  stop: Stop;
  /** How drafter, k and nodes were chosen, where they were left to specviz: `specviz.trace.plan`. */
  plan?: { left: string[] } | null;
}

export type Recording = { traces: Trace[] };

/** Under what conditions a run was timed, in words: `specviz.trace.conditions.conditions_json`. */
export interface Timing {
  trusted: boolean;
  /** Instead of a headline: why it is not trusted, and between what it lies. Of a trusted figure: that the machine was busy, else empty. */
  why: PageText;
  between: PageText;
  /** What was measured of the machine, in sentences; empty where nothing disturbed the run. */
  grounds: PageText;
}

/** A run while it goes on. */
export interface Live extends Source {
  prompt: string;
  settings: Settings;
  prefill: Prefill | null;
  card: Card;
  plain_rounds: Round[];
  ended: { speculative?: Stop; plain?: Stop };
}

export type Status =
  | "queued"
  | "loading"
  | "running"
  | "done"
  | "cancelled"
  | "failed"
  | "opened"
  | "shipped"
  | "exported";

export interface View {
  id: string;
  status: Status;
  message?: string;
  what?: string;
  queue_position?: number;
  /** Seconds that the jobs before it take, by the latest ones of their kinds; null where that is not known. */
  wait_s?: number | null;
  plain_rate?: number | null;
  speedups?: number[];
  timed?: number;
  timing?: Timing | null;
  origin?: string;
  /** What to look for in a recording, in a sentence. */
  look_for?: string;
  asked?: { prompt: string; settings: Settings };
  recording?: Recording | null;
  live?: Live | null;
  /** Where the rounds of a live run come from, and where its recording is once it is over. */
  events?: string;
  recorded_at?: string;
  talk?: boolean;
  /** A run that the page begins is shown as two lanes, until the viewer wants to see its rounds. */
  paired?: boolean;
  /** It opens paused, on its title. */
  title?: boolean;
  hide?: string[];
  /** Its moment is sent to a room. */
  leading?: boolean;
  lead?: Lead;
  /** It has a key that begins and ends a vote. */
  voting?: boolean;
  /** The drafters that the page's form offers for the models of the run; nothing where the page has no form for them. */
  able?: string[];
  /** The moment that it opens at, paused. */
  at?: RunMoment | null;
  /** Where the presenter of a room was before a reload of the page: the stage begins there. */
  begin?: { run: string; clock: number; pace: PaceName } | null;
  /** It goes where the presenter of a room goes. */
  following?: boolean;
}

/** How a page of the presenter's leads a room: where it tells its moves, and with what secret. */
export type Lead = { address: string; secret: string };

/** Where a presenter's stage is: the run, the viewer's clock, and the first round whose verdicts are not shown. */
export interface PresenterMoment {
  run: string;
  clock: number;
  playing: boolean;
  pace: PaceName;
  /** The first round whose verdicts are not shown yet. */
  round: number;
  /** The round on the desk, its phase, and how much of that has passed. */
  index: number;
  phase: Phase;
  fraction: number;
}

/** Where a presenter's race is on the engine's clock, and how many times slower than it was it is shown. */
export type RaceMoment = Pick<PresenterMoment, "run" | "clock" | "playing"> & { factor: number };

/** The presenter's moment as a follower's page hears of it: reported `since` seconds ago. */
export interface FollowedMoment extends PresenterMoment, RaceMoment {
  /** The room and the number of the moment. */
  version: string;
  since: number;
  /** The page of a lesson that the presenter reads; null where a run is on the stage. */
  page: PageNow | null;
}

/** A page of a lesson by its index, and the answer that was chosen on it. */
export interface PageNow {
  lesson: string;
  language: string;
  number: number;
  analogy: string;
  chosen: number | null;
}

/** The question of a room about a round: `over` once it is answered. */
export type VoteNow = { id: string; run: string; round: number; over: boolean };

declare global {
  interface Window {
    specvizMoment?: FollowedMoment & { at: number };
    specvizVote?: VoteNow | null;
  }
}

/**
 * What the player reads of the registry's description of a way of drafting. The sentences may hold {next}, {count} and {all}, which
 * say how many tokens are drafted, {of} and {rest}, which count layers, and {reads}, the states that a trained head reads; `verifying` may
 * be empty for the usual sentence.
 */
export interface Description {
  name: string;
  label: string;
  shape: "chain" | "tree";
  picture:
    | "model"
    | "fewer bits"
    | "copy"
    | "first layers"
    | "heads"
    | "fed layer"
    | "joined layer"
    | "open block"
    | "causal block"
    | "linked block";
  /** Whether it can also copy from earlier texts of a visit. */
  remembers?: boolean;
  /** Of a drafter that copies where the text repeats itself, the name of the one that drafts elsewhere. */
  otherwise?: string;
  does: string;
  checks: string;
  drafting: string;
  idle: string;
  verifying: string;
}

export type Drafters = Record<string, Description>;

/** How one state of a token is shown. */
export interface Look {
  mark: string;
  word: string;
  /** What the state means, in a sentence. */
  means: string;
}

export type Looks = Record<string, Look>;

/** A language with its table: for each English text its own, or one for each plural category. */
export type Spoken = { language: string; table: Record<string, string | Record<string, string>> };

/** What comes to the player beside the view, and is the same for all views. */
export interface PlayerContext {
  looks: Looks;
  drafters: Drafters;
  /** The page's language: with its table on a page of its own; in the app it is fetched before a component is mounted. */
  spoken?: Spoken;
}

export type Phase = "draft" | "verify" | "judge" | "commit";

/** A moment of a recording: so much of a phase has passed, or exactly `count` tokens are drafted or judged. */
export interface RunMoment {
  /** Index, from 0. */
  round: number;
  phase: Phase;
  /** From 0, the phase's beginning, to 1, its last moment. */
  part: number;
  count: number | null;
}

export type PaceName = "slow" | "lesson" | "quick" | "real" | "hand";

/** An English text of the server's: alone, or with what fills its gaps; a text in a gap is not translated. */
export type PageText = string | PageTextWith;

export interface PageTextWith {
  text: string;
  values: Record<string, string | number | { number: number; digits: number } | PageTextWith>;
}
