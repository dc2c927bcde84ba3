// What passes cost on a recorded machine.

import type { ExplorableData } from "../lesson_types.ts";

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
}

export interface MixtureCosts extends CostSource {
  /** How many experts a layer has. */
  experts: number;
  points: PassPoint[];
  /** The passes of a dense model that does as much arithmetic for a token. */
  dense: PassPoint[];
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
  mixture: MixtureCosts;
}

/** Which curves are drawn: of one text, of a mixture of experts beside a dense model, of one and more guests in a batch, or of a large model, calculated. */
export type CostPicture = "cost" | "experts" | "guests" | "large model";

/** For the curves of v(n). */
export interface CostsData extends ExplorableData {
  picture: CostPicture;
  costs: RecordedCosts;
}

/** A piece of a sentence: words, or a figure with how it was measured. */
export type WordPart = string | { text: string; how: string };
