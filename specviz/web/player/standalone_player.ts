// The player on a page of its own: its recording is beside it, and the theme is the reader's.

import { onOtherColours } from "../shared/dom.ts";
import { embed, momentOf } from "../shared/embed.ts";
import type { View } from "../shared/json_types.ts";
import type { Component } from "../shared/run_types.ts";
import { useWords } from "../shared/words.ts";
import { mount } from "./mount_player.ts";

const data = JSON.parse(document.getElementById("recording")?.textContent ?? "null");

useWords(data.spoken);

/** Its address may name a moment, as in `#3/verified`; another one opens it there. */
function show() {
  const at = momentOf(location.hash.slice(1)) ?? data.view.at;
  const alone: Component<View> = {
    data: { ...data, view: { ...data.view, id: data.view.id + location.hash, at } },
    parentElement: document,
  };
  mount(alone);
}
show();
embed();
window.addEventListener("hashchange", show);
onOtherColours(show);
