// Race: recorded runs of one prompt on one clock, each recorded alone.

/** @import { GalleryEntry } from "./types" */
/** @import { Reader } from "./reader.js" */

import { el } from "../shared/dom.js";
import { isEmbedded } from "../shared/embed.js";
import { to } from "./address.js";
import { picker, problemOf, titleOf } from "./controls.js";
import { load } from "./loading.js";
import { showPart } from "./parts.js";

const USUAL = "coffee";
/** Lanes beside the plain one. */
const MOST = 2;

/**
 * @param {HTMLElement} page
 * @param {string[]} rest the names of the runs in the lanes
 * @param {Reader} reader
 */
export async function racePage(page, rest, reader) {
  /** @type {GalleryEntry[]} */
  const entries = (await load("gallery")).filter((/** @type {GalleryEntry} */ { lanes }) => lanes.length > 1);
  const named = (rest.length ? rest : [USUAL]).map((name) => entries.find((each) => each.name === name));
  const first = named[0] ?? entries[0];
  const chosen = [first, ...named.slice(1).flatMap((each) => (each?.group === first.group ? [each] : []))].slice(
    0,
    MOST,
  );
  const lost = rest[named.indexOf(undefined)];
  if (lost) page.append(problemOf(reader.say("no_run", { name: lost })));
  const host = el("div");
  page.append(...(isEmbedded() ? [] : [choices(entries, chosen, reader)]), host);
  const { root } = await showPart(host, "race", reader, { view: await viewOf(chosen, reader) });
  if (!isEmbedded()) root.focus({ preventScroll: true });
  return { title: reader.say(first.title), address: () => to("race", ...chosen.map(({ name }) => name)) };
}

/**
 * @param {GalleryEntry[]} chosen
 * @param {Reader} reader
 */
async function viewOf(chosen, { say }) {
  const recordings = await Promise.all(chosen.map(({ data }) => load(data)));
  const lanes = recordings.map(({ traces }, i) => ({ ...chosen[i].lanes[0], source: traces[0] }));
  return {
    id: `race-${chosen.map(({ data }) => data).join("-")}`,
    race: true,
    live: false,
    note: chosen.length > 1 ? say("other_days") : "",
    hint: say("race_says"),
    plain_rate: null,
    real_time: false,
    lanes: [{ ...chosen[0].lanes[1], source: recordings[0].traces[1] }, ...lanes],
  };
}

/**
 * The text, and who drafts in each lane.
 * @param {GalleryEntry[]} entries
 * @param {GalleryEntry[]} chosen
 * @param {Reader} reader
 */
function choices(entries, chosen, { say }) {
  const row = el("div", "search");
  const texts = entries.filter(({ group }, at) => entries.findIndex((each) => each.group === group) === at);
  const text = texts.find(({ group }) => group === chosen[0].group)?.name ?? "";
  /** @type {[string, string][]} */
  const titles = texts.map(({ name, title, target }) => [name, `${say(title)} (${target})`]);
  row.append(
    titleOf(say("race")),
    picker(say("text"), titles, text, (name) => leave([name])),
  );
  /** @type {[string, string][]} */
  const able = entries
    .filter(({ group }) => group === chosen[0].group)
    .map(({ name, drafter, draft }) => [name, `${say(drafter)}${draft}`]);
  for (let i = 0; i < Math.min(MOST, able.length, chosen.length + 1); i += 1) {
    const options = i ? [/** @type {[string, string]} */ (["", say("no_lane")]), ...able] : able;
    const others = (/** @type {string} */ name) =>
      chosen.map((each) => each.name).toSpliced(i, 1, ...(name ? [name] : []));
    row.append(picker(say("lane", { number: i + 1 }), options, chosen[i]?.name ?? "", (name) => leave(others(name))));
  }
  return row;
}

/** @param {string[]} names */
function leave(names) {
  location.hash = to("race", ...names);
}
