// Puts the player into a page. Its state lives beside the page's element.

import { themeOf } from "../shared/dom.ts";
import type { View } from "../shared/json_types.ts";
import { frameWhenReached } from "../shared/keyboard_frame.ts";
import type { Component } from "../shared/run_types.ts";
import { mendWhatIsTyped } from "../shared/well_formed_text.ts";
import { listenToKeys } from "./keys.ts";
import { Stage } from "./stage.ts";

export const stages = new WeakMap<HTMLElement, Stage>();

export function mount({ data, parentElement, setTriggerValue }: Component<View>) {
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

function made(root: HTMLElement) {
  const stage = new Stage(root);
  listenToKeys(stage);
  stages.set(root, stage);
  frameWhenReached(root);
  mendWhatIsTyped();
  return stage;
}
