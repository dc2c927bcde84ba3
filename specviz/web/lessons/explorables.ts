// The explorables by name, and which of them draws a picture that a step of a chapter names.

import { mountCosts } from "./checking/cost_panel.ts";
import { mountMask } from "./checking/mask.ts";
import { mountKinds } from "./pays/four_kinds.ts";
import { mountPays } from "./pays/pays.ts";
import { mountRule } from "./rule/rule.ts";
import { mountRush } from "./rush/rush.ts";
import { mountStream } from "./word/stream.ts";
import { mountAudit } from "./wrong/audit.ts";

export const EXPLORABLES = {
  rule: mountRule,
  pays: mountPays,
  audit: mountAudit,
  stream: mountStream,
  costs: mountCosts,
  rush: mountRush,
  mask: mountMask,
  kinds: mountKinds,
};

/** A chapter's name of a picture -> the explorable; every other picture is the stage. */
export const EXPLORABLE_OF: Record<string, keyof typeof EXPLORABLES> = {
  "one token": "stream",
  "six passes": "stream",
  "six in one": "stream",
  cost: "costs",
  experts: "costs",
  "large model": "costs",
  mask: "mask",
  guests: "costs",
  "one guest": "rush",
  "rush hour": "rush",
  "switched off": "rush",
  routing: "rush",
  rule: "rule",
  formula: "pays",
  "four kinds": "kinds",
  bug: "audit",
};
