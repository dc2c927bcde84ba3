// The gallery of recorded runs, and one of them on the stage.

import { el, linkTo, pickerOf, setText } from "../shared/dom.ts";
import { addressOf, isEmbedded, momentOf } from "../shared/embed.ts";
import { fixed, word } from "../shared/words.ts";
import { to } from "./address.ts";
import type { GalleryEntry, Reader } from "./loading.ts";
import { alertOf, load, showPart } from "./loading.ts";

/** What was searched for stays while the page is open. */
const wanted: Record<string, string> = { search: "", drafter: "", kind: "", tag: "" };

export async function runsPage(page: HTMLElement, [name, ...moment]: string[], reader: Reader) {
  const entries: GalleryEntry[] = await load("gallery");
  const entry = entries.find((run) => run.name === name);
  if (entry) return onStage(page, entry, moment.join("/"), reader);
  if (name) page.append(alertOf(reader.say("no_run", { name })));
  fillGallery(page, entries, reader);
  return {};
}

async function onStage(page: HTMLElement, entry: GalleryEntry, moment: string, reader: Reader) {
  const { say } = reader;
  const title = `${word(entry.title)}, ${say(entry.drafter || "plain")}`;
  const head = el("div", "run-head");
  head.append(el("h1", "", title), linkTo(to("runs"), "", say("all_runs")));
  if (entry.lanes.length > 1) head.append(linkTo(to("race", entry.name), "", say("in_race")));
  const host = el("div");
  page.append(...(isEmbedded() ? [] : [head]), host);
  const view = {
    id: `${entry.data}@${moment}`,
    status: "shipped",
    origin: say("origin"),
    look_for: entry.shows,
    recording: await load(entry.data),
    speedups: [],
    at: momentOf(moment),
  };
  const { shadow, module } = await showPart(host, "player", reader, { view });
  const address = () => {
    const { index, phase } = module.default.positionIn(shadow) ?? { index: -1 };
    return `${to("runs", entry.name)}/${index < 0 ? "1/begins" : addressOf(index, phase)}`;
  };
  return { title, address };
}

function fillGallery(page: HTMLElement, entries: GalleryEntry[], reader: Reader) {
  const { say } = reader;
  const count = el("p", { class: "learn-faint", role: "status" });
  const cards = el("div");
  const want = (what: string, value: string) => {
    wanted[what] = value;
    const matches = entries.filter((entry) => fits(entry, reader)).map((entry) => el("li", "", card(entry, reader)));
    setText(count, matches.length ? say("found", { count: matches.length }) : say("none_found"));
    cards.replaceChildren(el("ul", "cards", ...matches));
  };
  const text = el("input", "learn-language");
  Object.assign(text, { type: "search", value: wanted.search, placeholder: say("search"), ariaLabel: say("search") });
  text.addEventListener("input", () => want("search", text.value));
  const choice = (what: string, values: string[], words = "") => {
    const options = [...new Set(values)].sort().map((value): [string, string] => [value, say(words + value)]);
    const choose = (value: string) => want(what, value);
    return pickerOf("learn-language", say(what), [["", say(`any_${what}`)], ...options], wanted[what], choose);
  };
  const [drafters, kinds] = [entries.flatMap(({ drafter }) => drafter || []), entries.map(({ kind }) => kind)];
  const tags = entries.flatMap((entry) => entry.tags);
  const choices = [choice("drafter", drafters), choice("kind", kinds), choice("tag", tags, "tag.")];
  const form = el("div", "search", text, ...choices);
  page.append(el("h1", "", say("runs")), el("p", "lead", say("runs_says")), form, count, cards);
  want("search", wanted.search);
}

function fits({ title, drafter, kind, target, prompt, shows, tags }: GalleryEntry, { say }: Reader) {
  const labels = [drafter || "plain", kind, ...tags.map((tag) => `tag.${tag}`)].map((label) => say(label));
  const text = [word(title), word(shows), ...labels, target, prompt].join(" ").toLowerCase();
  const own = ["", drafter, kind, ...tags];
  const searched = wanted.search.toLowerCase().split(/\s+/);
  return (
    [wanted.drafter, wanted.kind, wanted.tag].every((value) => own.includes(value)) &&
    searched.every((part) => text.includes(part))
  );
}

function card(
  { name, title, drafter, target, prompt, shows, judged, accepted, speedup, tokens, passes }: GalleryEntry,
  { say }: Reader,
) {
  const figures = [
    say("passes", { tokens, passes }),
    ...(judged ? [say("accepted", { accepted, judged })] : []),
    ...(speedup ? [say("speedup", { speedup: fixed(speedup, 1) })] : []),
  ];
  const by = el("span", "by", `${say(drafter || "plain")} · ${target}`);
  const lines = [el("b", "", word(title)), by, el("q", "", prompt), el("span", "", figures.join(" · "))];
  return linkTo(to("runs", name), "card", ...lines, ...(shows ? [el("span", "learn-faint", word(shows))] : []));
}
