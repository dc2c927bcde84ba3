// The raceway on a page of its own: its runs are beside it, and the theme is the reader's.

import { onOtherColours } from "../shared/dom.ts";
import { embed } from "../shared/embed.ts";
import type { Component } from "../shared/run_types.ts";
import { useWords } from "../shared/words.ts";
import mountRace from "./race_component.ts";
import type { RaceView } from "./race_types.ts";

const recorded = document.getElementById("recording")?.textContent ?? "null";

const alone: Component<RaceView> = { data: JSON.parse(recorded), parentElement: document };
useWords(JSON.parse(recorded)?.spoken);
mountRace(alone);
embed();
onOtherColours(() => mountRace(alone));
