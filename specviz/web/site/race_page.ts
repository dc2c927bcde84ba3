// Race: recorded runs of one prompt on one clock, each recorded alone.

import { el, pickerOf } from "../shared/dom.ts";
import { isEmbedded } from "../shared/embed.ts";
import { word } from "../shared/words.ts";
import { to } from "./address.ts";
import type { GalleryEntry, Reader } from "./loading.ts";
import { alertOf, load, showPart } from "./loading.ts";

const USUAL = "coffee";
/** Lanes beside the plain one. */
const MOST = 2;

/** @param rest the names of the runs in the lanes */
export async function racePage(page: HTMLElement, rest: string[], reader: Reader) {
  const entries: GalleryEntry[] = (await load("gallery")).filter(({ lanes }: GalleryEntry) => lanes.length > 1);
  const named = (rest.length ? rest : [USUAL]).map((name) => entries.find((entry) => entry.name === name));
  const first = named[0] ?? entries[0];
  const rivals = named.slice(1).flatMap((entry) => (entry?.group === first.group ? [entry] : []));
  const chosen = [first, ...rivals].slice(0, MOST);
  const lost = rest[named.indexOf(undefined)];
  if (lost) page.append(alertOf(reader.say("no_run", { name: lost })));
  const host = el("div");
  page.append(...(isEmbedded() ? [] : [choices(entries, chosen, reader)]), host);
  await showPart(host, "race", reader, { view: await viewOf(chosen, reader) });
  return { title: word(first.title), address: () => to("race", ...chosen.map(({ name }) => name)) };
}

async function viewOf(chosen: GalleryEntry[], { say }: Reader) {
  const recordings = await Promise.all(chosen.map(({ data }) => load(data)));
  // seconds of another sitting are compared with nothing
  const lanes = recordings.map(({ traces }, i) => ({
    ...chosen[i].lanes[0],
    ...(i && { busy: say("other_sitting") }),
    source: traces[0],
  }));
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

/** The text, and who drafts in each lane. */
function choices(entries: GalleryEntry[], chosen: GalleryEntry[], { say }: Reader) {
  const row = el("div", "search");
  const add = (label: string, options: [string, string][], value: string, at?: number) => {
    const names = chosen.map(({ name }) => name);
    const others = (name: string) => (at === undefined ? [name] : names.toSpliced(at, 1, ...(name ? [name] : [])));
    const leave = (name: string) => location.assign(to("race", ...others(name)));
    row.append(pickerOf("learn-language", label, options, value, leave));
  };
  const texts = entries.filter(({ group }, at) => entries.findIndex((entry) => entry.group === group) === at);
  const alike = entries.filter(({ group }) => group === chosen[0].group);
  row.append(el("h1", "", say("race")));
  add(
    say("text"),
    texts.map(({ name, title, target }) => [name, `${word(title)} (${target})`]),
    alike[0].name,
  );
  const drafters: [string, string][] = alike.map(({ name, drafter, draft }) => [name, `${say(drafter)}${draft}`]);
  for (let i = 0; i < Math.min(MOST, alike.length, chosen.length + 1); i += 1)
    add(say("lane", { number: i + 1 }), i ? [["", say("no_lane")], ...drafters] : drafters, chosen[i]?.name ?? "", i);
  return row;
}
