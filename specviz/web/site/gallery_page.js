// The gallery of recorded runs, and one of them on the stage.

/** @import { GalleryEntry } from "./types" */
/** @import { Reader } from "./reader.js" */

import { el, setText } from "../shared/dom.js";
import { addressOf, isEmbedded, momentOf } from "../shared/embed.js";
import { to } from "./address.js";
import { load } from "./loading.js";
import { showPart } from "./parts.js";

/** What was searched for stays while the page is open. */
const wanted = { search: "", drafter: "", kind: "", tag: "" };

/**
 * @param {HTMLElement} page
 * @param {string[]} rest
 * @param {Reader} reader
 */
export async function runsPage(page, rest, reader) {
  /** @type {GalleryEntry[]} */
  const entries = await load("gallery");
  const [name, ...moment] = rest;
  if (!name) return list(page, entries, reader);
  const entry = entries.find((each) => each.name === name);
  if (!entry) {
    const problem = el("p", "problem", reader.say("no_run", { name }));
    problem.setAttribute("role", "alert");
    page.append(problem);
    return list(page, entries, reader);
  }
  return onStage(page, entry, moment, reader);
}

/**
 * @param {HTMLElement} page
 * @param {GalleryEntry} entry
 * @param {string[]} moment
 * @param {Reader} reader
 */
async function onStage(page, entry, moment, reader) {
  const title = `${entry.title}, ${entry.drafter || reader.say("plain")}`;
  const host = el("div");
  if (!isEmbedded()) page.append(head(entry, title, reader));
  page.append(host);
  /** @param {string[]} rest */
  const show = async (rest) => {
    const address = rest.join("/");
    const view = {
      id: `${entry.data}@${address}`,
      status: "shipped",
      origin: reader.say("origin"),
      look_for: entry.shows,
      recording: await load(entry.data),
      speedups: [],
      at: momentOf(address),
    };
    return showPart(host, "player", reader, { view });
  };
  const { shadow, module, root } = await show(moment);
  if (!isEmbedded()) root.focus({ preventScroll: true });
  return {
    title,
    address: () => {
      const position = module.default.positionIn(shadow);
      return `${to("runs", entry.name)}/${position?.index >= 0 ? addressOf(position.index, position.phase) : "1/begins"}`;
    },
  };
}

/**
 * @param {GalleryEntry} entry
 * @param {string} title
 * @param {Reader} reader
 */
function head(entry, title, reader) {
  const node = el("div", "run-head");
  node.append(el("h1", "", title), link(reader.say("all_runs"), to("runs")));
  if (entry.lanes.length > 1) node.append(link(reader.say("in_race"), to("race", entry.name)));
  return node;
}

/**
 * @param {string} text
 * @param {string} address
 */
function link(text, address) {
  const node = el("a", "", text);
  node.href = address;
  return node;
}

/**
 * @param {HTMLElement} page
 * @param {GalleryEntry[]} entries
 * @param {Reader} reader
 */
function list(page, entries, reader) {
  const title = el("h1", "", reader.say("runs"));
  title.tabIndex = -1;
  const form = el("form", "search");
  const count = el("p", "faint");
  count.setAttribute("role", "status");
  const cards = el("ul", "cards");
  const fill = () => {
    const found = entries.filter(fits(reader));
    setText(count, found.length ? reader.say("found", { count: found.length }) : reader.say("none_found"));
    cards.replaceChildren(...found.map((entry) => card(entry, reader)));
  };
  const text = el("input", "choice");
  text.type = "search";
  text.value = wanted.search;
  text.placeholder = reader.say("search");
  text.setAttribute("aria-label", reader.say("search"));
  text.addEventListener("input", () => {
    wanted.search = text.value;
    fill();
  });
  /** @type {(what: "drafter" | "kind" | "tag", known: string[], name: (value: string) => string) => HTMLElement} */
  const choice = (what, known, name) => {
    const picker = el("select", "choice");
    picker.setAttribute("aria-label", reader.say(what));
    for (const value of ["", ...new Set(known)]) {
      const option = el("option", "", value ? name(value) : reader.say(`any_${what}`));
      option.value = value;
      picker.append(option);
    }
    picker.value = wanted[what];
    picker.addEventListener("change", () => {
      wanted[what] = picker.value;
      fill();
    });
    return picker;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(
    text,
    choice(
      "drafter",
      entries
        .map(({ drafter }) => drafter)
        .filter(Boolean)
        .sort(),
      (value) => value,
    ),
    choice(
      "kind",
      entries.map(({ kind }) => kind),
      (value) => value,
    ),
    choice(
      "tag",
      entries.flatMap(({ tags }) => tags),
      (value) => reader.say(`tag.${value}`),
    ),
  );
  page.append(title, el("p", "lead", reader.say("runs_says")), form, count, cards);
  fill();
  return {};
}

/** @param {Reader} reader */
function fits(reader) {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
  return (/** @type {GalleryEntry} */ entry) => {
    const { title, drafter, kind, target, prompt, shows, tags } = entry;
    const all = [
      title,
      drafter || reader.say("plain"),
      kind,
      target,
      prompt,
      shows,
      ...tags.map((tag) => reader.say(`tag.${tag}`)),
    ];
    const text = all.join(" ").toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (!wanted.drafter || drafter === wanted.drafter) &&
      (!wanted.kind || kind === wanted.kind) &&
      (!wanted.tag || tags.includes(wanted.tag))
    );
  };
}

/**
 * @param {GalleryEntry} entry
 * @param {Reader} reader
 */
function card(entry, reader) {
  const { name, title, drafter, target, prompt, shows, tokens, passes, judged, accepted, speedup } = entry;
  const node = el("a", "card");
  node.href = to("runs", name);
  const figures = [
    reader.say("passes", { tokens, passes }),
    judged ? reader.say("accepted", { accepted, judged }) : "",
    speedup ? reader.say("speedup", { speedup: speedup.toFixed(1) }) : "",
  ];
  node.append(
    el("b", "", title),
    el("span", "by", `${drafter || reader.say("plain")} · ${target}`),
    el("q", "", prompt),
    el("span", "", figures.filter(Boolean).join(" · ")),
  );
  if (shows) node.append(el("span", "faint", shows));
  const item = el("li");
  item.append(node);
  return item;
}
