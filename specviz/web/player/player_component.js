// The player as a component of the page. A live run is followed here: the page is rerun once, when it is over.

/** @import { Component, View } from "../shared/types" */

import { insist } from "../shared/live_events.js";
import { LiveRun } from "../shared/live_run.js";
import { mount, stages } from "./mount_player.js";

/** The run that each place on the page shows, where it follows one, and how it is shown now. @type {WeakMap<Element, Followed>} */
const followed = new WeakMap();

/** @typedef {{ run: LiveRun, component: Component<View> }} Followed */

/** @param {Component<View>} component */
function mountPlayer(component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".stage");
  if (!root || !data) return;
  const { view } = data;
  const leave = () => {
    setTimeout(() => {
      if (root.isConnected) return;
      followed.get(root)?.run.leave();
      followed.delete(root);
    });
  };
  const before = followed.get(root);
  if (before && before.run.view.id === view.id && before.run.view.events === view.events) {
    before.component = component;
    before.run.view = { ...before.run.view, ...view };
    before.run.draw();
    return leave;
  }
  before?.run.leave();
  followed.delete(root);
  if (!view.events && !view.recorded_at) {
    mount(component);
    return;
  }
  const now = /** @type {Followed} */ ({ component });
  const shown = () => followed.get(root) === now && root.isConnected && now.run.view.events === view.events;
  followed.set(root, now);
  now.run = new LiveRun(view, {
    show: (shown) => mount({ ...now.component, data: { ...data, ...now.component.data, view: shown } }),
    over: () => insist(() => now.component.setTriggerValue?.("over", performance.now()), shown),
  });
  return leave;
}

/** Where the stage inside a page is, for a link to this moment. @param {ParentNode} page */
mountPlayer.positionIn = (page) => {
  const root = page.querySelector(".stage");
  return root instanceof HTMLElement ? stages.get(root)?.head.position : undefined;
};

export { useWords } from "../shared/words.js";

export default mountPlayer;
