// The raceway as a component of the page. Its state lives beside the page's element.

/** @import { Component, RaceView } from "../shared/types" */

import { themeOf } from "../shared/dom.js";
import { mendWhatIsTyped } from "../shared/well_formed_text.js";
import { Raceway } from "./raceway.js";

/** @type {WeakMap<HTMLElement, Raceway>} */
const raceways = new WeakMap();

/** @param {Component<RaceView>} component */
function mountRace({ data, parentElement }) {
  const root = parentElement.querySelector(".race");
  if (!(root instanceof HTMLElement) || !data) return;
  root.dataset.theme = themeOf(root);
  mendWhatIsTyped();
  const raceway = raceways.get(root) ?? new Raceway(root);
  raceways.set(root, raceway);
  raceway.show(data.view, data.looks);
}

export default mountRace;
