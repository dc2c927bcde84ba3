// The explorables by name, each with how it is put into an element of the page.

import { mountAudit } from "./audit/audit.ts";
import { mountCosts } from "./costs/cost_panel.ts";
import { mountPays } from "./pays/pays.ts";
import { mountRule } from "./rule/rule.ts";
import { mountStream } from "./stream/stream.ts";
import type { CostsData, PaysData, Shown, StreamData } from "./types.ts";

/**
 * `rule`: the rule in the reader's hands. `pays`: when it pays. `audit`: a planted bug. `stream`: the weights that a pass reads. `costs`: what passes cost.
 */
export const EXPLORABLES: {
  rule: (element: HTMLElement, data: Shown) => void;
  pays: (element: HTMLElement, data: PaysData) => void;
  audit: (element: HTMLElement, data: Shown) => void;
  stream: (element: HTMLElement, data: StreamData) => void;
  costs: (element: HTMLElement, data: CostsData) => void;
} = {
  rule: mountRule,
  pays: mountPays,
  audit: mountAudit,
  stream: mountStream,
  costs: mountCosts,
};
