// The frame round the stage: it says where the keyboard is when somebody comes to it with Tab, and goes with the first key or click,
// so that it does not stay for a whole talk. What was clicked gets none when a key of the stage is pressed: the keyboard goes to the stage.

import { activeIn } from "./dom.ts";

/** What has keys of its own, and keeps them. */
const CONTROLS = "a, button, input, select, summary, textarea";

export function frameWhenReached(root: HTMLElement) {
  let tabbed = false;
  let clicked = false;
  const remember = (event: Event) => {
    if (!root.isConnected) for (const kind of KINDS) document.removeEventListener(kind, remember, true);
    tabbed = event instanceof KeyboardEvent && event.key === "Tab";
    if (!tabbed) root.classList.remove("reached");
    if (event.type === "pointerdown" || tabbed) clicked = !tabbed;
    else if (clicked) handOver(root);
  };
  for (const kind of KINDS) document.addEventListener(kind, remember, true);
  root.addEventListener("focus", () => root.classList.toggle("reached", tabbed));
  root.addEventListener("blur", () => root.classList.remove("reached"));
}

/** The keyboard goes from a part of the stage without keys of its own to the stage. */
function handOver(root: HTMLElement) {
  const holder = activeIn(root);
  if (holder && holder !== root && root.contains(holder) && !holder.matches(CONTROLS))
    root.focus({ preventScroll: true });
}

const KINDS = ["keydown", "pointerdown"];
