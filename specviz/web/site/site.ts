// The site: one page whose address says what it shows.

import { languagePicker } from "../lessons/learn_bar.ts";
import { button, el, linkTo } from "../shared/dom.ts";
import { embed, isEmbedded } from "../shared/embed.ts";
import { inLanguage, routeOf, to } from "./address.ts";
import { openShare } from "./dialogs.ts";
import { runsPage } from "./gallery_page.ts";
import { learnPage } from "./learn_page.ts";
import { alertOf, load, type Reader, readerOf, site } from "./loading.ts";
import { frontPage, teachPage, zooPage } from "./pages.ts";
import { racePage } from "./race_page.ts";

/**
 * What a page may hand back: how it shows another address of its own without being built again (returns its title), its first title, and
 * the address of what it shows now.
 */
type OpenPage = {
  update?: (rest: string[]) => Promise<string | undefined>;
  title?: string;
  address?: () => string;
};

const PAGES: Record<string, (page: HTMLElement, rest: string[], reader: Reader) => Promise<OpenPage>> = {
  front: frontPage,
  learn: learnPage,
  runs: runsPage,
  race: racePage,
  zoo: zooPage,
  teach: teachPage,
};
/** What the first page that is opened needs in any case. */
const EARLY: Record<string, string[]> = {
  front: ["given", "part-duel", "title-run"],
  learn: ["given", "part-learn"],
  runs: ["gallery", "given", "part-player"],
  race: ["gallery", "given", "part-race"],
};
const SHARED = ["runs", "race"];

const main = el("main", { id: "content", tabindex: -1 });
let current: { page: string; language: string; shown: OpenPage } = { page: "", language: "", shown: {} };
let turn = 0;

async function show() {
  turn += 1;
  const mine = turn;
  const { language, page, rest } = routeOf(location.hash);
  const reader = await readerOf(language);
  if (mine !== turn) return;
  const first = current.page === "";
  const same = current.page === page && current.language === language;
  let title = same ? await current.shown.update?.(rest) : undefined;
  if (mine !== turn) return;
  if (!same || !current.shown.update) {
    wear(reader, page);
    const host = el("div", `page ${page}-page`);
    main.replaceChildren(host);
    window.scrollTo(0, 0);
    current = { page, language, shown: {} };
    if (!Object.hasOwn(PAGES, page)) host.append(alertOf(reader.say("nowhere", { name: page })));
    const openPage = Object.hasOwn(PAGES, page) ? await PAGES[page](host, rest, reader) : {};
    if (mine !== turn) return;
    current.shown = openPage;
    title = openPage.title;
    const head = host.querySelector("h1");
    if (head) head.tabIndex = -1;
    if (!first) head?.focus();
  }
  const named = page === "front" ? "title" : page;
  document.title = [title, reader.say(named), "specviz"].filter(Boolean).join(" · ");
}

/** The menu, in the reader's language and with the open page marked. */
function wear(reader: Reader, open: string) {
  document.documentElement.lang = reader.language;
  if (isEmbedded()) return;
  const header = el("header", "menu");
  const skip = button("learn-button skip", reader.say("skip"), () => main.focus());
  const links = Object.keys(PAGES)
    .slice(1)
    .map((name) => el("a", { href: to(name), "aria-current": name === open ? "page" : "" }, reader.say(name)));
  const nav = el("nav", { "aria-label": reader.say("menu") }, ...links);
  header.append(skip, linkTo(to(), "home", "specviz"), nav);
  if (SHARED.includes(open)) {
    const share = () => openShare(reader, current.shown.address?.() ?? location.hash);
    header.append(button("learn-button", reader.say("share"), share));
  }
  const { languages } = site;
  const speak = (code: string) => location.assign(inLanguage(code));
  const given = { languages, language: reader.language };
  if (languages.length > 1) header.append(languagePicker(reader.say("language"), given, speak));
  document.body.replaceChildren(header, main, el("footer", "learn-faint", reader.say("made")));
}

function begin() {
  const loaded = show();
  const mine = turn;
  loaded.catch(async (error: Error) => {
    if (mine !== turn) return;
    current = { page: "", language: "", shown: {} }; // the next address builds its page anew
    const { language } = routeOf(location.hash);
    const reader = await readerOf(language).catch(() => null);
    main.replaceChildren(alertOf(reader?.say("lost", { name: error.message }) ?? error.message));
    throw error;
  });
}

document.body.replaceChildren(main);
// at once with the words, which the page waits for
for (const name of new Map(Object.entries(EARLY)).get(routeOf(location.hash).page) ?? []) load(name).catch(() => {});
window.addEventListener("hashchange", begin);
embed();
begin();
