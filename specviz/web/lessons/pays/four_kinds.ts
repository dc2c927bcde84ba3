// Four recorded runs of the same models on one clock, on the raceway: how often the guesses are right, and what that brings, depends on the text.

import { Raceway } from "../../race/raceway.ts";
import { themeOf } from "../../shared/dom.ts";
import { english, word } from "../../shared/words.ts";
import type { ExplorableData, LearnData } from "../lesson_types.ts";

/** The names of the recordings, and of the lanes in which they are replayed. */
const KINDS = {
  letter: english("A letter"),
  people: english("JSON"),
  vowels: english("Code"),
  romeo: english("Verse"),
};

const raceways: WeakMap<HTMLElement, Raceway> = new WeakMap();

/** A mount like those of `mountOf`; the race plays when the picture is first shown, and stays where it was left. */
export function mountKinds(element: HTMLElement, { views, looks, talk }: ExplorableData) {
  element.classList.add("stage", "race");
  element.dataset.theme = themeOf(element);
  const lanes = Object.entries(KINDS).flatMap(([name, kind]) => laneOf(views[name], word(kind)));
  const raceway = raceways.get(element) ?? new Raceway(element);
  raceways.set(element, raceway);
  const hint = word(
    "It depends on the text: four real runs of the same models, recorded alone and replayed on one clock.",
  );
  const always = { race: false, live: false, note: "", plain_rate: null, real_time: false };
  raceway.show({ id: "lesson-kinds", hint, lanes, talk, ...always }, looks);
}

/** A lane of a run that was recorded with its plain run; none where the lesson lacks it. */
function laneOf(view: LearnData["views"][string] | undefined, name: string) {
  const [run, alone] = view?.recording?.traces ?? [];
  if (!run || !alone) return [];
  const { prompt, settings } = run;
  const always = { words: "", say: "", how: "", busy: "", judged: true, badge: null };
  const states = { kind: "speculative", state: "done" } as const;
  return [{ name, prompt, asked: settings.max_new_tokens ?? 0, source: run, alone, ...states, ...always }];
}
