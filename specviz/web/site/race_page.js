// Race: recorded runs of one prompt on one clock, each recorded alone.

/** @import { GalleryEntry } from "./types" */
/** @import { Reader } from "./reader.js" */
/** @import { LaneView } from "../shared/types" */

import { el } from "../shared/dom.js";
import { isEmbedded } from "../shared/embed.js";
import { to } from "./address.js";
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
  const lost = named.findIndex((each) => !each);
  const first = named[0] ?? entries[0];
  const runners = named.filter((each) => each?.group === first.group).slice(0, MOST);
  const chosen = /** @type {GalleryEntry[]} */ (runners.length ? runners : [first]);
  if (lost >= 0) {
    const problem = el("p", "problem", reader.say("no_run", { name: rest[lost] ?? USUAL }));
    problem.setAttribute("role", "alert");
    page.append(problem);
  }
  const host = el("div");
  if (!isEmbedded()) page.append(choices(entries, chosen, reader));
  page.append(host);
  const { root } = await showPart(host, "race", reader, { view: await viewOf(chosen, reader) });
  if (!isEmbedded()) root.focus({ preventScroll: true });
  return { title: first.title, address: () => to("race", ...chosen.map(({ name }) => name)) };
}

/**
 * @param {GalleryEntry[]} chosen
 * @param {Reader} reader
 */
async function viewOf(chosen, reader) {
  const recordings = await Promise.all(chosen.map(({ data }) => load(data)));
  /** @type {(lane: LaneView, trace: LaneView["source"]) => LaneView} */
  const lane = (view, trace) => ({ ...view, source: trace });
  const lanes = recordings.map(({ traces }, i) => lane(chosen[i].lanes[0], traces[0]));
  const days = new Set(chosen.map(({ recorded }) => recorded));
  return {
    id: `race-${chosen.map(({ data }) => data).join("-")}`,
    race: true,
    live: false,
    note: days.size > 1 ? reader.say("other_days") : "",
    hint: reader.say("race_says"),
    plain_rate: null,
    real_time: false,
    lanes: [lane(chosen[0].lanes[1], recordings[0].traces[1]), ...lanes],
  };
}

/**
 * The text, and who drafts in each lane.
 * @param {GalleryEntry[]} entries
 * @param {GalleryEntry[]} chosen
 * @param {Reader} reader
 */
function choices(entries, chosen, reader) {
  const row = el("form", "search race-head");
  row.addEventListener("submit", (event) => event.preventDefault());
  const title = el("h1", "", reader.say("race"));
  title.tabIndex = -1;
  const groups = [...new Map(entries.map((entry) => [entry.group, entry])).values()];
  const texts = groups.map(({ group }) => /** @type {GalleryEntry} */ (entries.find((each) => each.group === group)));
  row.append(
    title,
    picker(
      reader.say("text"),
      texts.map((entry) => [entry.name, `${entry.title} (${entry.target})`]),
      /** @type {GalleryEntry} */ (texts.find(({ group }) => group === chosen[0].group)).name,
      (name) => to("race", name),
    ),
  );
  const able = entries.filter(({ group }) => group === chosen[0].group);
  for (let i = 0; i < Math.min(MOST, able.length, chosen.length + 1); i += 1) {
    /** @type {[string, string][]} */
    const known = able.map((entry) => [
      entry.name,
      `${entry.drafter}${sameDrafter(entry, able) ? ` (${entry.target})` : ""}`,
    ]);
    const options = i ? /** @type {[string, string][]} */ ([["", reader.say("no_lane")], ...known]) : known;
    row.append(
      picker(reader.say("lane", { number: i + 1 }), options, chosen[i]?.name ?? "", (name) => {
        const names = chosen.map((each) => each.name);
        if (name) names[i] = name;
        else names.splice(i, 1);
        return to("race", ...names);
      }),
    );
  }
  return row;
}

/**
 * @param {GalleryEntry} entry
 * @param {GalleryEntry[]} all
 */
function sameDrafter(entry, all) {
  return all.some((each) => each !== entry && each.drafter === entry.drafter);
}

/**
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => string} address where a choice leads.
 */
function picker(label, options, value, address) {
  const node = el("select", "choice");
  node.setAttribute("aria-label", label);
  for (const [name, text] of options) {
    const option = el("option", "", text);
    option.value = name;
    node.append(option);
  }
  node.value = value;
  node.addEventListener("change", () => {
    location.hash = address(node.value);
  });
  return node;
}
