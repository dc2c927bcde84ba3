// The Learn screen as a component of the page. Its state lives beside the page's element.

/** @import { LearnComponent } from "./types" */

import { Learn } from "./learn.js";
import { BY_QUERY } from "./page_turning.js";

/** @type {WeakMap<HTMLElement, Learn>} */
const screens = new WeakMap();

/** @param {LearnComponent} component */
function mountLearn({ data, parentElement, setTriggerValue, address }) {
  const root = parentElement.querySelector(".learn");
  if (!(root instanceof HTMLElement) || !data) return;
  const server = {
    /** @param {Record<string, string>} query */
    go: (query) => setTriggerValue("go", query),
    /** @param {string} step */
    share: (step) => setTriggerValue("share", { step }),
    tryIt: () => setTriggerValue("try", true),
  };
  const screen = screens.get(root) ?? new Learn(root, server);
  screens.set(root, screen);
  screen.server = server;
  screen.address = address ?? BY_QUERY;
  screen.show(data);
}

export { useWords } from "../shared/words.js";

export default mountLearn;
