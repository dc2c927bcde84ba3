// The explorables by name, each with how it is put into an element of the page.

/** @import { CostsData, PaysData, Shown, StreamData } from "./types" */

import { mountAudit } from "./audit/audit.js";
import { mountCosts } from "./costs/cost_panel.js";
import { mountPays } from "./pays/pays.js";
import { mountRule } from "./rule/rule.js";
import { mountStream } from "./stream/stream.js";

/**
 * `rule`: the rule in the reader's hands. `pays`: when it pays. `audit`: a planted bug. `stream`: the weights that a pass reads. `costs`: what passes cost.
 * @type {{ rule: (element: HTMLElement, data: Shown) => void, pays: (element: HTMLElement, data: PaysData) => void,
 *   audit: (element: HTMLElement, data: Shown) => void, stream: (element: HTMLElement, data: StreamData) => void,
 *   costs: (element: HTMLElement, data: CostsData) => void }}
 */
export const EXPLORABLES = {
  rule: mountRule,
  pays: mountPays,
  audit: mountAudit,
  stream: mountStream,
  costs: mountCosts,
};
