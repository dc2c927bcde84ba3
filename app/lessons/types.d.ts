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

/** What stands beside a section of an exported lesson, and what is shown after the answer of one that asks. */
export interface ExportedSection {
  picture: string;
  place: Place;
  answer: Place | null;
}

/** The data of an exported lesson. */
export interface ExportedLesson extends Given {
  views: Record<string, View>;
  dots: RunDot[];
  sections: ExportedSection[];
  sheet: string;
  glossary: Term[];
}

/** A term of the glossary, its sentence, all its forms, and phrases in which a form means something else. */
export interface Term {
  term: string;
  says: string;
  forms: string[];
  others: string[];
}

// What the explorables are given, and what their pure parts hand to the parts that draw.

/** The rules that a reader can switch between: the exact one, and three that miss the target's distribution. */
export type RuleName = "exact" | "likely" | "no-residual" | "other-q";

/** Any rule of one drafted token, as three lists over the tokens. All that can come out of it follows from them. */
export interface Procedure {
  /** The distribution that the draft really draws from. */
  drawn: number[];
  /** The probability with which each token is accepted once it is drafted. */
  accept: number[];
  /** The distribution that is drawn from after a rejection. */
  after: number[];
}

/** One token by a rule: what was drafted, the draw u, and what came out. */
export interface Step {
  drafted: number;
  u: number;
  accepted: boolean;
  token: number;
  /** The second uniform number, which chose the token after a rejection; null where the draft was accepted. */
  redraw: number | null;
}

/** Six tokens or so with p and q. */
export interface Pairing {
  tokens: string[];
  p: number[];
  q: number[];
}

/** For every explorable. `talk` is large type for a room. */
interface Shown {
  talk?: boolean;
  /** Where the numbers come from, one sentence. */
  note?: string;
}

/** For "the rule in the reader's hands" and "a planted bug". Without tokens the built-in example is shown. */
export interface RuleData extends Shown {
  tokens?: string[];
  p?: number[];
  q?: number[];
  /** Of the random source. */
  seed?: number;
  rule?: RuleName;
  /** The temperature that the draft of the rule "other-q" really uses. */
  temperature?: number;
}

/** One recorded run, with the speedup measured in it. */
export interface RunDot {
  name: string;
  /** Runs of one group have one mark: predictable, creative. */
  group: string;
  alpha: number;
  c: number;
  v: number;
  k: number;
  speedup: number;
}

/** The four letters of the speedup formula. */
export interface Letters {
  alpha: number;
  c: number;
  v: number;
  k: number;
}

/** For "when it pays". */
export interface PaysData extends Shown, Partial<Letters> {
  dots?: RunDot[];
}

// ------------------------------------------------------------------ the Learn screen

export interface Question {
  html: string;
  choices: { html: string; right: boolean }[];
  answer: Place;
  because: string;
}

export interface LessonStep {
  title: string;
  html: string;
  notes: string;
  place: Place;
  captions: Record<string, string>;
  picture: string;
  question: Question | null;
}

/** A lesson as `specviz.lessons.lesson` writes it. */
export interface Lesson {
  name: string;
  number: number;
  language: string;
  direction: "ltr" | "rtl";
  title: string;
  minutes: number;
  intro: string;
  analogies: { name: string }[];
  steps: LessonStep[];
  questions: Question[];
}

/** One line of the list of chapters. */
export interface Chapter {
  name: string;
  number: number;
  title: string;
  minutes: number;
  language: string;
  direction: "ltr" | "rtl";
}

/** A language of the lesson: its code, and its own name. */
export interface Language {
  code: string;
  name: string;
}

/** The data of the Learn screen: one open lesson with its recordings, or the list of chapters. */
export interface LearnData extends Given {
  lesson: Lesson | null;
  /** Every other lesson counts as another one, and a file that changed too. */
  edition: string;
  views: Record<string, View>;
  dots: RunDot[];
  languages: Language[];
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
  /** The handout as a page of its own; empty where it is not offered. */
  handout: string;
  /** The explorables' style, where the lesson has one. */
  sheet: string;
  talk: boolean;
  present: boolean;
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

export interface LearnComponent {
  data: LearnData | null;
  parentElement: Document | Element | ShadowRoot;
  setTriggerValue: (name: string, value: unknown) => void;
}

export interface WelcomeComponent {
  data: { cookie: string } | null;
  parentElement: Document | Element | ShadowRoot;
  setTriggerValue: (name: string, value: unknown) => void;
}
