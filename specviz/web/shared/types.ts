// The shapes that the player reads and derives. The first part is JSON as Python writes it: `specviz.trace.records` field by
// field, and the data of the two components. The second part is what the player makes of it.

// ------------------------------------------------------------------ what comes from Python

/** What comes as JSON, or from a script that is loaded: who reads it knows its shape. */
// biome-ignore lint/suspicious/noExplicitAny: nothing checks it against a type
export type Loaded = any;

export type Verdict = "accepted" | "rejected" | "discarded";
/** "own" is made by reading, where nothing was drafted; the record has the other two. */
export type ClosingHow = "corrected" | "bonus" | "own";
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
export interface Closing {
  token: number;
  how: ClosingHow;
  draw: number | null;
  residual_top?: Top;
}

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

export interface TokenBytes {
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
export interface DrafterCard {
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

export type Rule = "exact" | "block" | "typical" | "lenient";

export interface Prefill {
  target_s: number;
  draft_s: number;
}

export interface Trace extends Source {
  card: Card;
  prompt: string;
  settings: Settings;
  prefill: Prefill;
  stop: Stop;
  /** How drafter, k and nodes were chosen, where they were left to specviz: `specviz.trace.plan`. */
  plan?: { left: string[] } | null;
}

export interface Recording {
  traces: Trace[];
}

/** Under what conditions a run was timed, in words: `specviz.trace.conditions.shown`. */
export interface Timing {
  trusted: boolean;
  /** Instead of a headline: why it is not trusted, and between what it lies. Of a trusted figure: that the machine was busy, else empty. */
  why: PageText;
  between: PageText;
  /** What was measured of the machine, in sentences; empty where nothing disturbed the run. */
  grounds: PageText;
}

/** A run while it goes on. */
export interface Live {
  prompt: string;
  settings: Settings;
  prompt_ids: number[];
  prefill: Prefill | null;
  tokens: TokenTable;
  card: Card;
  rounds: Round[];
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
export interface Lead {
  address: string;
  secret: string;
}

/** Where a presenter's stage is: the run, the viewer's clock, and the first round whose verdicts are not shown. */
export interface Reported {
  run: string;
  clock: number;
  playing: boolean;
  pace: PaceName;
  /** The first round whose verdicts are not shown yet. */
  round: number;
  /** The round on the desk, and how many seconds of the viewer's clock it has been there. */
  index: number;
  within: number;
}

/** The presenter's moment as a follower's page hears of it: reported `since` seconds ago. */
export interface MomentNow extends Reported {
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
export interface VoteNow {
  id: string;
  run: string;
  round: number;
  over: boolean;
}

export interface MomentComponent {
  data: { vote: VoteNow | null } | null;
}

declare global {
  interface Window {
    specvizMoment?: MomentNow & { at: number };
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
  does: string;
  checks: string;
  drafting: string;
  idle: string;
  verifying: string;
}

export type Drafters = Record<string, Description>;

/** Constants of the acceptance rules that are shown in words. */
export interface Rules {
  typical: { epsilon: number; delta: number };
}

/** How one state of a token is shown. */
export interface Look {
  mark: string;
  word: string;
  /** What the state means, in a sentence. */
  means: string;
}

export type Looks = Record<string, Look>;

/** A language with its table: for each English text its own, or one for each plural category. */
export interface Spoken {
  language: string;
  table: Record<string, string | Record<string, string>>;
}

/** What comes to the player beside the view, and is the same for all views. */
export interface Given {
  looks: Looks;
  drafters: Drafters;
  rules: Rules;
  /** The page's language: with its table on a page of its own; in the app it is fetched before a component is mounted. */
  spoken?: Spoken;
}

// ------------------------------------------------------------------ what the player makes of it

export interface Bytes {
  data: Uint8Array<ArrayBuffer>;
  special: boolean;
}

export type ByteTable = Map<number, Bytes>;

/** A token's text for people; `raw` where it is not text as the model wrote it. */
export interface Label {
  text: string;
  raw: boolean;
  /** What a text that cannot be read as it is stands for. */
  says?: string;
}

/** How many tokens, judged drafts and accepted drafts there were after some number of rounds. */
export interface Totals {
  tokens: number;
  judged: number;
  accepted: number;
}

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
export interface PlainTrack extends Track {
  done: boolean;
}

/** After how many layers of the target a trained head reads the states, of how many there are. */
export interface Reads {
  taps: number[];
  of: number;
}

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
  typical: Rules["typical"];
  /** The label of a lossy rule; empty for the exact one. */
  lossy: string;
  /** The drafter's name for people, as the registry writes it, and the same at the beginning of a sentence. */
  label: string;
  who: string;
  does: string;
  checks: string;
  drafting: string;
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

/** What the mean round of a run brought and took, in the time of a plain token; without drafts it would bring 1 token and take 1. */
export interface Ledger {
  rounds: number;
  /** Tokens that a round brought. */
  tokens: number;
  /** The time of the drafter. */
  drafting: number;
  /** What the target's pass took beyond a pass over one token. */
  verifying: number;
  /** The time of judging and committing beyond a plain round's. */
  rest: number;
  /** All of it. */
  cost: number;
  /** Tokens that a pass read in the rounds with drafts, and those of them that were drafted. */
  checked: number;
  drafted: number;
  /** The time of such a pass, in that of a pass over one token. */
  pass: number;
  /** Rounds without drafts. */
  idle: number;
  /** Seconds of a plain token. */
  plain_s: number;
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

/**
 * The shares of a round's viewer time that its phases take; `turn` is the part of the judging after which the rejection is shown that
 * ends the accepted path, 1 where there is none.
 */
export type Shares = Record<Phase, number> & { turn: number };

/** The viewer's schedule: at which second of the clock each round starts, what its phases take, and where the last one ends. */
export interface Plan {
  starts: number[];
  shares: Shares[];
  end: number;
  pace: PaceName;
}

/** Where a run is at one moment of the viewer's clock. */
export interface Position {
  /** Of the round; -1 before there is one. */
  index: number;
  phase: Phase;
  /** How much of the phase has passed, 0 to 1. */
  fraction: number;
  /** Drafted tokens that are typed. */
  typed: number;
  /** How far the target's pass has swept, 0 to 1. */
  sweep: number;
  swept: boolean;
  /** Verdicts that are shown. */
  judged: number;
  /** The commit phase has begun. */
  landed: boolean;
  /** The round's tokens have joined the text. */
  joined: boolean;
  /** New tokens in the text. */
  committed: number;
  /** Seconds of the engine's clock. */
  engine: number;
  ended: boolean;
}

/** A node of a drawn tree: depth from the root, and row. */
export interface Node2D {
  depth: number;
  row: number;
}

export interface Layout {
  nodes: Node2D[];
  rows: number;
  depth: number;
}

/** What the target would have written at a position: its one choice, or its most likely token with the probability of that. */
export interface Choice {
  token: number;
  word: string;
  share: number | null;
}

/** A drafted token by its index, or the round's closing token. */
export type Slotted = number | "closing";

// ------------------------------------------------------------------ lanes of the race

/** An English text of the server's: alone, or with what fills its gaps; a text in a gap is not translated. */
export type PageText = string | PageTextWith;

export interface PageTextWith {
  text: string;
  values: Record<string, string | number | { number: number; digits: number } | PageTextWith>;
}

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
  badge: Badge<Text> | null;
  prompt: string;
  /** The most tokens it may write. */
  asked: number;
  source: Source | null;
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
  lanes: LaneView[];
}

/** How one token came to be; `own` where nothing was drafted. */
export interface Origin {
  how: "accepted" | ClosingHow;
  round: number;
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

export interface Lane extends LaneView<string>, Track {
  origins: Origin[];
  /** Engine seconds that have been recorded. */
  known: number;
  total: number;
  /** It has come to its end. */
  closed: boolean;
  /** It has come to its end by itself. */
  done: boolean;
  /** Tokens that it will have written, as far as that is known. */
  goal: number;
}

export interface Course extends Omit<RaceView, "lanes"> {
  lanes: Lane[];
  plain: Lane | null;
  known: number;
  /** Seconds of the plain lane, or of the longest. */
  slowest: number;
  /** Seconds of the whole clock. */
  span: number;
}

/** A lane at a moment of the clock. */
export interface Moment {
  tokens: number;
  passes: number;
  finished: boolean;
  rate: number | null;
  /** The clock is past what has been recorded of it. */
  awaited: boolean;
  rank: number | null;
  /** Null where it is not known. */
  gap: Gap | null;
  /** Of a race that both lanes have finished; null where it cannot be trusted. */
  speedup: number | null;
  /** The same with the time to read the prompt on both sides. */
  withPrompt: number | null;
}

/** What Streamlit hands to a component, and what the saved page hands to the player. */
export interface Component<Shown> {
  /** `begun` is where the run comes from that the page has begun last. */
  data: ({ view: Shown; begun?: string } & Given) | null;
  parentElement: Document | Element | ShadowRoot;
  setTriggerValue?: (name: string, value: unknown) => void;
}
