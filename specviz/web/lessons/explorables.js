// The explorables by name, each with how it is put into an element of the page.

/** @import { PaysData, RuleData } from "./types" */

import { mountAudit } from "./audit/audit.js";
import { mountPays } from "./pays/pays.js";
import { mountRule } from "./rule/rule.js";

/**
 * `rule`: the rule in the reader's hands. `pays`: when it pays. `audit`: a planted bug.
 * @type {{ rule: (element: HTMLElement, data: RuleData) => void, pays: (element: HTMLElement, data: PaysData) => void,
 *   audit: (element: HTMLElement, data: RuleData) => void }}
 */
export const EXPLORABLES = { rule: mountRule, pays: mountPays, audit: mountAudit };
