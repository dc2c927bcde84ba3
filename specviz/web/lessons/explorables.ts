// The explorables by name, and which of them draws a picture that a step of a chapter names.

import { mountCosts } from "./checking/cost_panel.ts";
import { mountPays } from "./pays/pays.ts";
import { mountRule } from "./rule/rule.ts";
import { mountStream } from "./word/stream.ts";
import { mountAudit } from "./wrong/audit.ts";

export const EXPLORABLES = {
  rule: mountRule,
  pays: mountPays,
  audit: mountAudit,
  stream: mountStream,
  costs: mountCosts,
};

/** A chapter's name of a picture -> the explorable; every other picture is the stage. */
export const EXPLORABLE_OF: Record<string, keyof typeof EXPLORABLES> = {
  "one token": "stream",
  "six passes": "stream",
  "six in one": "stream",
  cost: "costs",
  experts: "costs",
  guests: "costs",
  rule: "rule",
  formula: "pays",
  bug: "audit",
};
