// Puts the player into a page. Its state lives beside the page's element.

/** @import { Component, View } from "../shared/types" */

import { themeOf } from "../shared/dom.js";
import { frameWhenReached } from "../shared/keyboard_frame.js";
import { mendWhatIsTyped } from "../shared/well_formed_text.js";
import { Stage } from "./stage.js";

/** @type {WeakMap<HTMLElement, Stage>} */
export const stages = new WeakMap();

/** @param {Component<View>} component */
export function mount({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".stage");
  if (!(root instanceof HTMLElement) || !data) return;
  root.dataset.theme = themeOf(root);
  const stage = stages.get(root) ?? made(root);
  stage.leading.to(data.view.lead ?? null);
  stage.vote = data.view.voting && setTriggerValue ? () => setTriggerValue("vote", true) : null;
  const { able } = data.view;
  const form = able?.length && setTriggerValue;
  stage.parts.end.suggest = form ? (change) => setTriggerValue("suggested", change) : null;
  stage.show(data.view, data);
}

/** @param {HTMLElement} root */
function made(root) {
  const stage = new Stage(root);
  stages.set(root, stage);
  frameWhenReached(root);
  mendWhatIsTyped();
  return stage;
}
