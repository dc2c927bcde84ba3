// The p and q that the explorables of the rule begin with.

import { english } from "../../shared/words.ts";
import type { Pairing } from "../lesson_types.ts";

/** After "The capital of France is". The numbers are made up. */
export const EXAMPLE: Pairing = {
  tokens: ["Paris", "Lyon", "a", "the", "Rome", "in"],
  p: [0.42, 0.08, 0.16, 0.2, 0.04, 0.1],
  q: [0.2, 0.3, 0.18, 0.12, 0.15, 0.05],
};
export const EXAMPLE_NOTE = english("An example with made-up numbers: drag any bar; all bars of one colour sum to 1.");
