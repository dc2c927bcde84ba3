// The player on a page of its own: its recording is beside it, and the theme is the reader's.

/** @import { Component, View } from "../shared/types" */

import { useWords } from "../shared/words.js";
import { mount } from "./mount_player.js";

const recording = document.getElementById("recording")?.textContent ?? "null";

/** @type {Component<View>} */
const alone = { data: JSON.parse(recording), parentElement: document };
useWords(alone.data?.spoken);
mount(alone);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => mount(alone));
