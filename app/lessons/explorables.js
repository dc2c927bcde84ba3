// The explorables by name, each with how it is put into an element of the page.

/** @import { PaysData, RuleData } from "./types" */

import { mountRule } from "./rule.js";

/** @type {{ rule: (element: HTMLElement, data: RuleData) => void }} */
export const EXPLORABLES = { rule: mountRule };
