// A page inside another one: what its address asks for, and how the page around it hears of its height.

import type { Phase, RunMoment } from "./json_types.ts";

/** The words for moments, as lessons have them. */
const WORDS: Record<string, [Phase, number]> = {
  begins: ["draft", 0],
  drafting: ["draft", 0.5],
  drafted: ["draft", 1],
  verifying: ["verify", 0.5],
  verified: ["verify", 1],
  judged: ["judge", 1],
  committed: ["commit", 1],
};

/** The moment that an address names, as in `3/verified`; null where it names none. */
export function momentOf(text: string): RunMoment | null {
  const [, number, word = "begins"] = /^(\d{1,6})(?:\/([a-z]+))?$/.exec(text) ?? [];
  if (!Number(number) || !Object.hasOwn(WORDS, word)) return null;
  const [phase, part] = WORDS[word];
  return { round: Number(number) - 1, phase, part, count: null };
}

/** The end of a phase as an address names it. `index`: of the round, from 0. */
export function addressOf(index: number, phase: Phase) {
  const word = Object.keys(WORDS).find((name) => WORDS[name][0] === phase && WORDS[name][1] === 1);
  return `${index + 1}/${word}`;
}

/** Whether the address asks for the page without menu and header, for a frame in another page. */
export function isEmbedded() {
  return new URLSearchParams(location.search).get("embed") === "1";
}

/** Be such a page, where it is asked for: the page around it gets the height, whenever it is another one. */
export function embed() {
  if (!isEmbedded()) return;
  document.documentElement.classList.add("embedded");
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ specviz: "height", height }, "*"); // a height is no secret
  }).observe(document.body);
}
