// The raceway on a page of its own: its runs are beside it, and the theme is the reader's.

/** @import { Component, RaceView } from "../shared/types" */

import { onOtherColours } from "../shared/dom.js";
import { embed } from "../shared/embed.js";
import { useWords } from "../shared/words.js";
import mountRace from "./race_component.js";

const recorded = document.getElementById("recording")?.textContent ?? "null";

/** @type {Component<RaceView>} */
const alone = { data: JSON.parse(recorded), parentElement: document };
useWords(JSON.parse(recorded)?.spoken);
mountRace(alone);
embed();
onOtherColours(() => mountRace(alone));
