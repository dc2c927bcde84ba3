// The site: one page whose address says what it shows.

import { el } from "../shared/dom.js";
import { embed, isEmbedded } from "../shared/embed.js";
import { inLanguage, routeOf, to } from "./address.js";
import { openShare } from "./dialogs.js";
import { frontPage } from "./front_page.js";
import { runsPage } from "./gallery_page.js";
import { learnPage } from "./learn_page.js";
import { load, site } from "./loading.js";
import { racePage } from "./race_page.js";
import { Reader } from "./reader.js";
import { teachPage } from "./teach_page.js";
import { zooPage } from "./zoo_page.js";

/**
 * What a page may hand back: how it shows another address of its own without being built again (returns its title), its first title, and
 * the address of what it shows now.
 * @typedef {{ update?: (rest: string[]) => Promise<string | undefined>, title?: string, address?: () => string }} Shown
 */

/** @type {Record<string, (page: HTMLElement, rest: string[], reader: Reader) => Promise<Shown>>} */
const PAGES = { front: frontPage, learn: learnPage, runs: runsPage, race: racePage, zoo: zooPage, teach: teachPage };
const SHARED = ["learn", "runs", "race"];

const main = el("main");
main.id = "content";
/** @type {{ page: string, language: string, shown: Shown }} */
let now = { page: "", language: "", shown: {} };
let turn = 0;

async function show() {
  turn += 1;
  const mine = turn;
  const { language, page, rest } = routeOf(location.hash);
  const reader = await Reader.of(language);
  if (mine !== turn) return;
  const first = now.page === "";
  const same = now.page === page && now.language === language;
  let title = same ? await now.shown.update?.(rest) : undefined;
  if (mine !== turn) return;
  if (!same || !now.shown.update) {
    wear(reader, page);
    const host = el("div", `page ${page}-page`);
    main.replaceChildren(host);
    window.scrollTo(0, 0);
    now = { page, language, shown: {} };
    const shown = PAGES[page]
      ? await PAGES[page](host, rest, reader)
      : lost(host, reader.say("nowhere", { name: page }));
    if (mine !== turn) return;
    now.shown = shown;
    title = shown.title;
    if (!first) host.querySelector("h1")?.focus();
  }
  document.title = [title, page === "front" ? reader.say("title") : reader.say(page), "specviz"]
    .filter(Boolean)
    .join(" · ");
}

/**
 * @param {HTMLElement} host
 * @param {string} sentence
 * @returns {Shown}
 */
function lost(host, sentence) {
  const node = el("p", "problem", sentence);
  node.setAttribute("role", "alert");
  host.replaceChildren(node);
  return {};
}

/**
 * The menu, in the reader's language and with the open page marked.
 * @param {Reader} reader
 * @param {string} open
 */
function wear(reader, open) {
  document.documentElement.lang = reader.language;
  if (isEmbedded()) return;
  const header = el("header", "menu");
  const skip = el("a", "skip", reader.say("skip"));
  skip.href = location.hash || "#/";
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.tabIndex = -1;
    main.focus();
  });
  const home = el("a", "home", "specviz");
  home.href = to();
  const nav = el("nav");
  nav.setAttribute("aria-label", reader.say("menu"));
  for (const name of Object.keys(PAGES).slice(1)) {
    const link = el("a", "", reader.say(name));
    link.href = to(name);
    if (name === open) link.setAttribute("aria-current", "page");
    nav.append(link);
  }
  header.append(skip, home, nav);
  if (SHARED.includes(open)) {
    const share = el("button", "plain-button", reader.say("share"));
    share.addEventListener("click", () => openShare(reader, now.shown.address?.() ?? location.hash));
    header.append(share);
  }
  if (site.languages.length > 1) header.append(languages(reader));
  document.body.replaceChildren(header, main, el("footer", "faint", reader.say("made")));
}

/** @param {Reader} reader */
function languages(reader) {
  const picker = el("select", "choice");
  picker.setAttribute("aria-label", reader.say("language"));
  for (const { code, name } of site.languages) {
    const option = el("option", "", name);
    option.value = code;
    option.lang = code;
    picker.append(option);
  }
  picker.value = reader.language;
  picker.addEventListener("change", () => {
    location.hash = inLanguage(picker.value);
  });
  return picker;
}

function begin() {
  show().catch(async (/** @type {Error} */ error) => {
    const { language } = routeOf(location.hash);
    const reader = await Reader.of(language).catch(() => null);
    lost(main, reader ? reader.say("lost", { name: error.message }) : error.message);
    throw error;
  });
}

document.body.replaceChildren(main);
if (routeOf(location.hash).page === "front")
  for (const name of ["given", "part-duel", "title-run"]) load(name).catch(() => {}); // at once with the words
window.addEventListener("hashchange", begin);
embed();
begin();
