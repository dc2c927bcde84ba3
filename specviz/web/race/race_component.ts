// The raceway as a component of the page. Its state lives beside the page's element. A live race is followed here: the page is rerun once,
// when it is over.

import { themeOf } from "../shared/dom.ts";
import { insist, LiveEvents, type LiveState } from "../shared/live_events.ts";
import type { RoundLog } from "../shared/live_run.ts";
import type { Component } from "../shared/run_types.ts";
import { mendWhatIsTyped } from "../shared/well_formed_text.ts";
import { raceOf } from "./race_reading.ts";
import type { RaceView } from "./race_types.ts";
import { Raceway } from "./raceway.ts";

const places: WeakMap<HTMLElement, { raceway: Raceway; live: LiveRace | null; component: Component<RaceView> }> =
  new WeakMap();

class LiveRace {
  address: string;
  events: LiveEvents;
  joined: RoundLog[] = [];

  constructor(address: string, heard: { tell: (known: LiveState) => void; refused: () => void }) {
    this.address = address;
    this.events = new LiveEvents(address, heard);
  }
}

function mountRace(component: Component<RaceView>) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".race");
  if (!(root instanceof HTMLElement) || !data) return;
  root.dataset.theme = themeOf(root);
  mendWhatIsTyped();
  const place = places.get(root) ?? { raceway: new Raceway(root), live: null, component };
  places.set(root, place);
  place.component = component;
  const { events: address } = data.view;
  if (place.live?.address !== (address ?? undefined)) {
    place.live?.events.end();
    place.live = null;
  }
  if (!address) {
    place.raceway.show(data.view, data.looks);
    return;
  }
  let drawn = false;
  const draw = () => {
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(() => {
      drawn = false;
      const { live, component: now } = place;
      if (!live || !now.data) return;
      place.raceway.show(raceOf(now.data.view, live.events.known, live.joined), now.data.looks);
    });
  };
  const shown = () => place.live?.address === address && root.isConnected;
  const tell = () => insist(() => place.component.setTriggerValue?.("over", performance.now()), shown);
  place.live ??= new LiveRace(address, {
    tell: ({ over }) => {
      draw();
      if (over) tell();
    },
    refused: () => {
      if (place.live?.events.ended) tell();
    },
  });
  draw();
  return () => {
    setTimeout(() => {
      if (root.isConnected) return;
      place.live?.events.end();
      place.live = null;
    });
  };
}

export { useWords } from "../shared/words.ts";

export default mountRace;
