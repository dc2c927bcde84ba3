// The explorables by name, each with how it is put into an element of the page.

/** @import { PaysData, RuleData } from "./types" */

import { mountPays } from "./pays.js";
import { mountRule } from "./rule.js";

/** @type {{ rule: (element: HTMLElement, data: RuleData) => void, pays: (element: HTMLElement, data: PaysData) => void }} */
export const EXPLORABLES = { rule: mountRule, pays: mountPays };
