// The explorables by name.

import { mountCosts } from "./checking/cost_panel.ts";
import { mountMask } from "./checking/mask.ts";
import { mountKinds } from "./pays/four_kinds.ts";
import { mountPays } from "./pays/pays.ts";
import { mountRule } from "./rule/rule.ts";
import { mountRush } from "./rush/rush.ts";
import { mountStream } from "./word/stream.ts";
import { mountAudit } from "./wrong/audit.ts";

/** Each with the names by which a step of a chapter asks for it; every other picture is the stage. */
export const EXPLORABLES: Record<string, { mount: typeof mountRule; pictures: string[] }> = {
  stream: { mount: mountStream, pictures: ["one token", "six passes", "six in one"] },
  mask: { mount: mountMask, pictures: ["mask"] },
  costs: { mount: mountCosts, pictures: ["cost", "large model", "experts", "guests"] },
  rule: { mount: mountRule, pictures: ["rule", "bars", "residual", "wrong rule"] },
  kinds: { mount: mountKinds, pictures: ["four kinds"] },
  pays: { mount: mountPays, pictures: ["four numbers", "formula", "real runs"] },
  rush: { mount: mountRush, pictures: ["one guest", "rush hour", "switched off", "routing"] },
  audit: { mount: mountAudit, pictures: ["bug", "many samples"] },
};

/** The name of the explorable that draws a picture; none for the stage. */
export function explorableOf(picture: string) {
  return Object.keys(EXPLORABLES).find((name) => EXPLORABLES[name].pictures.includes(picture));
}
