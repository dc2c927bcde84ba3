// What was measured, on the reader's machine or on a recorded one.

import type { RunDot } from "../types.ts";

/** What every measurement says about itself. All times are in seconds. */
export interface Measured {
  /** The name of the machine, where it is not the reader's. */
  recorded?: string;
  target: string;
  draft?: string;
  device: string;
  dtype: string;
  /** Whether other programs needed the processor meanwhile. */
  disturbed: boolean;
  measured_at: string;
  processor?: string;
  threads?: number;
  /** What ran the passes. */
  decoder?: string;
  /** How many passes each median is of, at least. */
  passes?: number;
  /** What disturbed it. */
  why?: string;
  /** How many larger passes were not measured. */
  left_out?: number;
  /** How many tokens each text had before the pass. */
  context?: number;
}

/** A pass over so many tokens: what it took, how many operations it did, how many bytes it read. */
export interface BandwidthPoint {
  tokens: number;
  pass_s: number;
  operations: number;
  bytes: number;
}

export interface BandwidthResult extends Measured {
  kind: "bandwidth";
  weights_bytes: number;
  /** Of the pass over one token. */
  pass_s: number;
  pass_low_s: number;
  pass_high_s: number;
  operations: number;
  /** What the memory and the arithmetic were measured to do at most. */
  reading_bytes_per_s: number;
  operations_per_s: number;
  /** The same as the memory, for a buffer as large as the weights that is read again and again. */
  repeated_bytes_per_s?: number;
  points: BandwidthPoint[];
}

export interface PassPoint {
  tokens: number;
  pass_s: number;
  low_s: number;
  high_s: number;
  /** Of a mixture of experts: how many of a layer's experts the pass read, the mean of the layers. */
  experts?: number;
}

export interface PassCostResult extends Measured {
  kind: "pass cost";
  points: PassPoint[];
  /** Of a mixture: how many experts a layer has, and the passes of a dense model that does as much arithmetic for a token. */
  experts?: number;
  dense?: PassPoint[];
}

/** The profile of a machine that comes with the project, as `specviz.lessons.machine` writes it. */
export interface RecordedCosts extends Omit<PassCostResult, "points" | "disturbed"> {
  recorded: string;
  file: string;
  weights_bytes: number;
  points: { tokens: number; pass_s: number }[];
  mixture: PassCostResult;
}

/** One pass over so many tokens for each of so many guests. */
export interface BatchPoint extends PassPoint {
  guests: number;
}

export interface BatchResult extends Measured {
  kind: "batch cost";
  points: BatchPoint[];
  /** Passes of the draft over one token for each guest; empty without a draft. */
  draft_pass_s: { guests: number; pass_s: number }[];
}

export type MeasuredResult = BandwidthResult | PassCostResult | BatchResult;
export type MeasuredKind = MeasuredResult["kind"];

/** How a measured picture is shown. `kind` is what is shown where nothing was measured; `dots` are the lesson's recorded runs, `costs` what
 * passes cost on a recorded machine. */
export interface MeasuredOptions {
  talk?: boolean;
  kind?: string;
  costs?: RecordedCosts | PassCostResult | null;
  dots?: RunDot[];
}

/** A piece of a sentence: words, or a figure with how it was measured. */
export type WordPart = string | { text: string; how: string };
