// The shapes that a lesson's scripts read: JSON as `specviz.lessons.lesson` writes it.

import type { Lead, Looks, PlayerContext, RunMoment, View } from "../shared/json_types.ts";
import type { ComponentOf } from "../shared/run_types.ts";

/** A part of the stage that is lit; `slot` is the number of a drafted token, or of one of the text, from 1. */
export type Highlight = { part: string; slot: number | null };

export interface Place {
  recording: string | null;
  moment: RunMoment | null;
  lit: Highlight[];
  /** Whether a question about this round is open, so that what the target would write stays covered until its verdict. */
  asks: boolean;
  /** The whole text of the run is shown, beside that of the plain run, instead of its last round. */
  whole: boolean;
}

/** The data of an exported lesson: what stands beside each section, and what is shown after the answer of one that asks. */
export interface ExportedLesson
  extends Pick<LearnData, "views" | "dots" | "costs" | "sheets" | "glossary">,
    PlayerContext {
  sections: (Pick<LessonPage, "picture" | "place"> & { answer: Place | null })[];
}

/** A term of the glossary, its sentence, all its forms, and phrases in which a form means something else. */
export type Term = { term: string; says: string; forms: string[]; others: string[] };

// What the explorables are given, and what their pure parts hand to the parts that draw.

/** The rules that a reader can switch between: the exact one, and three that miss the target's distribution. */
export type RuleName = "exact" | "likely" | "no-residual" | "other-q";

/**
 * Any rule of one drafted token, as three lists over the tokens. All that can come out of it follows from them: the distribution that the draft
 * really draws from, the probability with which each token is accepted once it is drafted, and the distribution that is drawn from after a rejection.
 */
export type Procedure = { drawn: number[]; accept: number[]; after: number[] };

/** Six tokens or so with p and q. */
export type Pairing = { tokens: string[]; p: number[]; q: number[] };

/**
 * What explorables are given; each takes some of it. `picture`: which of its pictures it shows. `tokens`: those that a pass reads, and the one
 * after the last of them. Of the first two dots, the first is a run whose text is easy to guess.
 */
export interface ExplorableData {
  picture: string;
  /** The recording of the step. */
  recording?: string | null;
  costs: RecordedCosts;
  dots: RunDot[];
  tokens: string[];
  views: LearnData["views"];
  looks: Looks;
  /** Large type for a room. */
  talk: boolean;
}

/** A pass over so many tokens of one text, or of each of several. All times are in seconds; the quartiles where they were recorded. */
export interface PassPoint {
  tokens: number;
  pass_s: number;
  low_s?: number;
  high_s?: number;
  /** Of a mixture of experts: how many of a layer's experts the pass read, the mean of the layers. */
  experts?: number;
}

/** Where passes were measured. */
export interface CostSource {
  /** The name of the machine. */
  recorded: string;
  target: string;
  device: string;
  dtype: string;
  processor: string;
  measured_at: string;
  /** How many tokens each text had before the pass. */
  context: number;
  /** Instead of a measurement: by what formula the passes were calculated. */
  calculated?: string;
  /** Of a mixture of experts: how many of them a layer has. */
  experts?: number;
}

/** The recorded figures, as `specviz.lessons.learn_data` gives them. */
export interface RecordedCosts extends CostSource {
  file: string;
  weights_bytes: number;
  points: PassPoint[];
  /** Passes over some tokens of each of several texts. */
  guests: (PassPoint & { guests: number })[];
  /** Passes of the draft over one token of each of several texts. */
  guest_drafts: (PassPoint & { guests: number })[];
  /** `dense`: the passes of a dense model that does as much arithmetic for a token. */
  mixture: CostSource & { points: PassPoint[]; dense: PassPoint[] };
}

/** Which curves are drawn: of one text, of a mixture of experts beside a dense model, of one and more guests in a batch, or of a large model, calculated. */
export type CostPicture = "cost" | "experts" | "guests" | "large model";

/** A piece of a sentence: words, or a figure with how it was measured. */
export type WordPart = string | { text: string; how: string };

/** The four letters of the speedup formula. */
export type Letters = { alpha: number; c: number; v: number; k: number };

/** One recorded run, with the speedup measured in it. */
export type RunDot = Letters & { name: string; speedup: number };

/** What a picture shows of passes that read weights: one over one token, six over one each, or one over six. */
export type StreamMode = "one token" | "six passes" | "six in one";

/** What a picture shows of a server with many guests: one guest, guests who arrive, drafts for nobody, or drafts for some of them. */
export type RushMode = "one guest" | "rush hour" | "switched off" | "routing";

// ------------------------------------------------------------------ the Learn screen

export interface Question {
  html: string;
  choices: { html: string; right: boolean }[];
  answer: Place;
  because: string;
}

/** One line of the list of chapters. */
export interface Chapter {
  name: string;
  number: number;
  title: string;
  minutes: number;
  language: string;
  direction: "ltr" | "rtl";
  /** It stands apart from the course. */
  more: boolean;
}

/** A lesson as `specviz.lessons.lesson` writes it. */
export interface Lesson extends Chapter {
  intro: string;
  analogies: { name: string }[];
  pages: LessonPage[];
}

/** A language to choose: its code, and its own name. */
type Language = { code: string; name: string };

/** The data of the Learn screen: one open lesson with its recordings, or the list of chapters. */
export interface LearnData extends PlayerContext {
  lesson: Lesson | null;
  /** Every other lesson counts as another one, and a file that changed too. */
  edition: string;
  views: Record<string, View>;
  dots: RunDot[];
  /** The languages of the page and of the open lesson, and the one that the page speaks now. */
  languages: Language[];
  language: string;
  chapters: Chapter[];
  /** What is wrong in files that are left out. */
  problems: string[];
  /** Why the lesson of the address is not shown. */
  problem: string;
  words: Record<string, string>;
  /** The terms in the lesson's language, or of the page that lists them. */
  glossary: Term[];
  glossary_open: boolean;
  glossary_language: string;
  /** The handout as the text of a page, or its address; empty where it is not offered. */
  handout: string;
  /** What passes cost on a recorded machine, where the lesson shows it. */
  costs: RecordedCosts | null;
  /** The style of the lesson's explorables, and of those that have one of their own by their names. */
  sheets: Record<string, string>;
  /** Large type for a room; and the presenter's notes. */
  talk: boolean;
  notes: boolean;
  /** Its page is told to a room. */
  lead?: Lead | null;
  /** It is in a room's phone: at the presenter's page, or at one that the reader turns to. */
  room?: "following" | "alone";
}

/** One page of an open lesson: a step, a question at its end, or the way on. */
export interface LessonPage {
  kind: "step" | "question" | "end";
  title: string;
  html: string;
  notes: string;
  captions: Record<string, string>;
  picture: string;
  place: Place;
  question: Question | null;
}

/** The addresses of the pages of Learn; `search` gives `?step=…` of the one that is open. */
export interface LearnAddress {
  search: () => string;
  of: (lesson: { name: string; language: string }, index: number) => string;
  /** Of a lesson's first page; of the glossary; of the list of chapters for "". */
  link: (name: string) => string;
}

export type LearnComponent = ComponentOf<LearnData> & { address?: LearnAddress };
