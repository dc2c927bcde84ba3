// The raceway as a component of the page. Its state lives beside the page's element. A live race is followed here: the page is rerun once,
// when it is over.

/** @import { Component, RaceView } from "../shared/types" */
/** @import { Known } from "../shared/live_events.js" */

import { themeOf } from "../shared/dom.js";
import { insist, LiveEvents } from "../shared/live_events.js";
import { Joined } from "../shared/live_run.js";
import { mendWhatIsTyped } from "../shared/well_formed_text.js";
import { Raceway } from "./raceway.js";

/** @type {WeakMap<HTMLElement, { raceway: Raceway, live: LiveRace | null, component: Component<RaceView> }>} */
const places = new WeakMap();

/**
 * The race as far as it is known.
 * @param {RaceView} view
 * @param {Known} known
 * @param {Joined[]} joined one for every lane
 * @returns {RaceView}
 */
function raceOf(view, known, joined) {
  const race = known.slots.race ?? view;
  const lanes = race.lanes.map((/** @type {RaceView["lanes"][number]} */ lane, /** @type {number} */ index) => {
    const source = known.slots[`source${index}`];
    if (!source) return lane;
    joined[index] ??= new Joined();
    joined[index].take(known.logs[`lane${index}`]);
    const { rounds, tokens } = joined[index];
    return { ...lane, source: { ...source, rounds, tokens: { ...source.tokens, ...tokens } } };
  });
  return { ...view, ...race, lanes };
}

class LiveRace {
  /** @param {string} address @param {{ tell: (known: Known) => void, refused: () => void }} heard */
  constructor(address, heard) {
    this.address = address;
    /** @type {Joined[]} */
    this.joined = [];
    this.events = new LiveEvents(address, heard);
  }
}

/** @param {Component<RaceView>} component */
function mountRace(component) {
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

export { useWords } from "../shared/words.js";

export default mountRace;
