// The raceway as a component of the page. Its state lives beside the page's element. A live race is followed here: the page is rerun once,
// when it is over.

import { themeOf } from "../shared/dom.ts";
import { saveFilm, whenFilmIsAsked } from "../shared/film.ts";
import { follow, type RoundLog } from "../shared/live_run.ts";
import type { Component } from "../shared/run_types.ts";
import { mendWhatIsTyped } from "../shared/well_formed_text.ts";
import { raceOf } from "./race_reading.ts";
import type { RaceView } from "./race_types.ts";
import { Raceway } from "./raceway.ts";

const raceways: WeakMap<HTMLElement, Raceway> = new WeakMap();
let latest: Raceway | null = null;

whenFilmIsAsked(() => {
  if (!latest?.root.isConnected) return;
  latest.seek(0, true);
  saveFilm(latest.frames, "specviz-race", latest.course.known * latest.factor);
});

function mountRace(component: Component<RaceView>) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".race");
  if (!(root instanceof HTMLElement) || !data) return undefined;
  root.dataset.theme = themeOf(root);
  mendWhatIsTyped();
  const raceway = raceways.get(root) ?? new Raceway(root);
  raceways.set(root, raceway);
  latest = raceway;
  const read = () => {
    const joined: RoundLog[] = [];
    return (view: RaceView, known: Parameters<typeof raceOf>[1]) => raceOf(view, known, joined);
  };
  return follow(root, component, { show: ({ data: now }) => now && raceway.show(now.view, now.looks), read });
}

export { useWords } from "../shared/words.ts";

export default mountRace;
