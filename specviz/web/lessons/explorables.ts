// The explorables by name, each with how it is put into an element of the page.

import { mountCosts } from "./checking/cost_panel.ts";
import type { CostsData, ExplorableData, PaysData, StreamData } from "./lesson_types.ts";
import { mountPays } from "./pays/pays.ts";
import { mountRule } from "./rule/rule.ts";
import { mountStream } from "./word/stream.ts";
import { mountAudit } from "./wrong/audit.ts";

/**
 * `rule`: the rule in the reader's hands. `pays`: when it pays. `audit`: a planted bug. `stream`: the weights that a pass reads. `costs`: what passes cost.
 */
export const EXPLORABLES: {
  rule: (element: HTMLElement, data: ExplorableData) => void;
  pays: (element: HTMLElement, data: PaysData) => void;
  audit: (element: HTMLElement, data: ExplorableData) => void;
  stream: (element: HTMLElement, data: StreamData) => void;
  costs: (element: HTMLElement, data: CostsData) => void;
} = {
  rule: mountRule,
  pays: mountPays,
  audit: mountAudit,
  stream: mountStream,
  costs: mountCosts,
};
