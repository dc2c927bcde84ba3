// A stand-in until the picture is there.

/** @import { Measurement } from "./types" */

import { el } from "../player/dom.js";

/**
 * @param {HTMLElement} room
 * @param {Measurement | null} result
 * @param {{ talk: boolean, kind: string, dots: unknown[] }} options
 */
export function measuredPicture(room, result, { talk }) {
  const node = el("p", "measured-stand-in", result ? JSON.stringify(result, null, 1) : "not measured yet");
  node.classList.toggle("talk", talk);
  room.classList.add("stage", "explorable");
  room.replaceChildren(node);
}
