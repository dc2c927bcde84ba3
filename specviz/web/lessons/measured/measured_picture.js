// The measured pictures of chapters 1, 2 and 9: what was measured on the reader's machine, or empty axes that say that nothing was.

/** @import { MeasuredKind, MeasuredOptions } from "../types" */

import { themeOf } from "../../shared/dom.js";
import { PassPanel } from "../passes/pass_panel.js";
import { RooflinePanel } from "../roofline/roofline_panel.js";
import { SurfacePanel } from "../surface/surface_panel.js";
import { measuredKindOf, readMeasured } from "./measured_read.js";

/**
 * @typedef {{ show: (result: any, problem: string, options: MeasuredOptions) => void }} MeasuredPanel
 */

/** @type {Record<MeasuredKind, (room: HTMLElement) => MeasuredPanel>} */
const PICTURES = {
  bandwidth: (room) => new RooflinePanel(room),
  "pass cost": (room) => new PassPanel(room),
  "batch cost": (room) => new SurfacePanel(room),
};

/**
 * What is in a room: its picture, and all that it was last given as JSON.
 * @type {WeakMap<HTMLElement, { kind: MeasuredKind, picture: MeasuredPanel, shown: string }>}
 */
const filledRooms = new WeakMap();

/**
 * Fill a room with the picture of a measurement, or show another measurement in it: what the reader chose there stays. Without a
 * measurement the axes of `options.kind` are empty.
 * @param {HTMLElement} room in a document or shadow root that has `explorables.css`.
 * @param {object | null} result as JSON; it is checked here.
 * @param {MeasuredOptions} options
 */
export function measuredPicture(room, result, options) {
  const kind = measuredKindOf(result, options.kind);
  const before = filledRooms.get(room);
  const picture = before?.kind === kind ? before.picture : PICTURES[kind](room);
  const now = JSON.stringify([result, options]);
  filledRooms.set(room, { kind, picture, shown: now });
  room.dataset.theme = themeOf(room);
  if (before?.shown === now) return;
  const read = readMeasured(result);
  picture.show(read.result, read.problem, options);
}
