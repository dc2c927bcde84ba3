// The player as a component of the page. A live run is followed here: the page is rerun once, when it is over.

import { saveFilm, whenFilmIsAsked } from "../shared/film.ts";
import type { View } from "../shared/json_types.ts";
import { LiveEvents } from "../shared/live_events.ts";
import { follow, readerOf } from "../shared/live_run.ts";
import type { Component } from "../shared/run_types.ts";
import { mount, stages } from "./mount_player.ts";
import { followLength } from "./recut_text.ts";

/** The player of the page, where it may begin before the page is rendered. */
let ready: Component<View> | null = null;
/** Where the next run will come from, from the press on Run on. */
let next: LiveEvents | null = null;
/** By then the page has a run, or a sentence that says why there is none. */
const NOTHING_MS = 5000;

function noMore() {
  next?.end();
  next = null;
}

// The run that Run begins is followed at once: rendering the page takes longer than its first round.
addEventListener("click", ({ target }) => {
  if (!ready?.data?.begun || !(target instanceof Element && target.closest(".st-key-run button"))) return;
  noMore();
  const { view, begun } = ready.data;
  const address = new URL(begun, location.href);
  address.searchParams.set("after", view.id);
  const events = new LiveEvents(address.href, { tell: ({ slots }) => slots.run && begin(events, slots.run) });
  next = events;
  setTimeout(() => next === events && noMore(), NOTHING_MS);
});

function stageNow() {
  const root = ready?.parentElement.querySelector(".stage");
  return root instanceof HTMLElement && root.isConnected ? stages.get(root) : undefined;
}

followLength((k) => stageNow()?.preview(k));

whenFilmIsAsked(() => {
  const stage = stageNow();
  if (!stage) return;
  stage.turn((head) => head.seek(0, true));
  saveFilm(stage.frames, "specviz-run", stage.head.plan.end);
});

function begin(events: LiveEvents, run: Pick<View, "id" | "events" | "recorded_at">) {
  if (next !== events || !ready?.data) return;
  const { talk, paired, hide, able, leading, lead, voting } = ready.data.view;
  const view: View = { status: "queued", talk, paired, hide, able, leading, lead, voting, ...run };
  mountPlayer({ ...ready, data: { ...ready.data, view } });
}

function mountPlayer(component: Component<View>) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".stage");
  if (!root || !data) return undefined;
  const { view } = data;
  const begins = next?.known.slots.run?.id === view.id ? next : null;
  if (begins) next = null;
  else if (view.id !== ready?.data?.view.id) noMore();
  ready = component;
  return follow(root, component, { show: mount, read: readerOf }, begins);
}

/** Where the stage inside a page is, for a link to this moment. */
mountPlayer.positionIn = (page: ParentNode) => {
  const root = page.querySelector(".stage");
  return root instanceof HTMLElement ? stages.get(root)?.head.position : undefined;
};

export { useWords } from "../shared/words.ts";

export default mountPlayer;
