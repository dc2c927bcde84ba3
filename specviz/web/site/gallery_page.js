// The gallery of recorded runs, and one of them on the stage.

/** @import { GalleryEntry } from "./types" */
/** @import { Reader } from "./reader.js" */

import { el, linkTo, pickerOf, setText } from "../shared/dom.js";
import { addressOf, isEmbedded, momentOf } from "../shared/embed.js";
import { fixed, word } from "../shared/words.js";
import { to } from "./address.js";
import { load } from "./loading.js";
import { alertOf, showPart } from "./parts.js";

/** What was searched for stays while the page is open. @type {Record<string, string>} */
const wanted = { search: "", drafter: "", kind: "", tag: "" };

/**
 * @param {HTMLElement} page
 * @param {string[]} rest
 * @param {Reader} reader
 */
export async function runsPage(page, [name, ...moment], reader) {
  /** @type {GalleryEntry[]} */
  const entries = await load("gallery");
  const entry = entries.find((each) => each.name === name);
  if (entry) return onStage(page, entry, moment.join("/"), reader);
  if (name) page.append(alertOf(reader.say("no_run", { name })));
  fillGallery(page, entries, reader);
  return {};
}

/**
 * @param {HTMLElement} page
 * @param {GalleryEntry} entry
 * @param {string} moment
 * @param {Reader} reader
 */
async function onStage(page, entry, moment, reader) {
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

/**
 * @param {HTMLElement} page
 * @param {GalleryEntry[]} entries
 * @param {Reader} reader
 */
function fillGallery(page, entries, reader) {
  const { say } = reader;
  const count = el("p", { class: "learn-faint", role: "status" });
  const cards = el("div");
  /** @type {(what: string, value: string) => void} */
  const want = (what, value) => {
    wanted[what] = value;
    const found = entries.filter((entry) => fits(entry, reader)).map((entry) => el("li", "", card(entry, reader)));
    setText(count, found.length ? say("found", { count: found.length }) : say("none_found"));
    cards.replaceChildren(el("ul", "cards", ...found));
  };
  const text = el("input", "learn-language");
  Object.assign(text, { type: "search", value: wanted.search, placeholder: say("search"), ariaLabel: say("search") });
  text.addEventListener("input", () => want("search", text.value));
  /** @type {(what: string, known: string[], words?: string) => HTMLElement} */
  const choice = (what, known, words = "") => {
    const options = [...new Set(known)]
      .sort()
      .map((value) => /** @type {[string, string]} */ ([value, say(words + value)]));
    return pickerOf("learn-language", say(what), [["", say(`any_${what}`)], ...options], wanted[what], (value) =>
      want(what, value),
    );
  };
  const [drafters, kinds] = [entries.flatMap(({ drafter }) => drafter || []), entries.map(({ kind }) => kind)];
  const tags = choice(
    "tag",
    entries.flatMap((each) => each.tags),
    "tag.",
  );
  const form = el("div", "search");
  form.append(text, choice("drafter", drafters), choice("kind", kinds), tags);
  page.append(el("h1", "", say("runs")), el("p", "lead", say("runs_says")), form, count, cards);
  want("search", wanted.search);
}

/**
 * @param {GalleryEntry} entry
 * @param {Reader} reader
 */
function fits({ title, drafter, kind, target, prompt, shows, tags }, { say }) {
  const said = [drafter || "plain", kind, ...tags.map((tag) => `tag.${tag}`)].map((each) => say(each));
  const text = [word(title), word(shows), ...said, target, prompt].join(" ").toLowerCase();
  const chosen = [wanted.drafter, wanted.kind, wanted.tag].every((each) => ["", drafter, kind, ...tags].includes(each));
  return (
    chosen &&
    wanted.search
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/**
 * @param {GalleryEntry} entry
 * @param {Reader} reader
 */
function card({ name, title, drafter, target, prompt, shows, judged, accepted, speedup, tokens, passes }, { say }) {
  const figures = [
    say("passes", { tokens, passes }),
    ...(judged ? [say("accepted", { accepted, judged })] : []),
    ...(speedup ? [say("speedup", { speedup: fixed(speedup, 1) })] : []),
  ];
  const by = el("span", "by", `${say(drafter || "plain")} · ${target}`);
  const lines = [el("b", "", word(title)), by, el("q", "", prompt), el("span", "", figures.join(" · "))];
  return linkTo(to("runs", name), "card", ...lines, ...(shows ? [el("span", "learn-faint", word(shows))] : []));
}
