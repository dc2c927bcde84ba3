// What the page loads when it needs it, as `specviz.site` writes it: each file is a script that hands over a value under a name, since a page
// that was opened from disk may not fetch files. And a component of the app in a shadow of its own, as Streamlit mounts it.

import type { LaneView } from "../race/race_types.ts";
import { el, onOtherColours } from "../shared/dom.ts";
import type { Json, Spoken } from "../shared/json_types.ts";
import { useWords, word } from "../shared/words.ts";

export const site: SiteData = JSON.parse(document.getElementById("site")?.textContent ?? "null");

const handedOver = new Map<string, unknown>();
const requests = new Map<string, Promise<Json>>();

window.siteData = (name, value) => {
  handedOver.set(name, value);
};

/** What a file of the site hands over. */
export function load(name: string): Promise<Json> {
  const request = requests.get(name);
  if (request) return request;
  const loaded = new Promise((done, failed) => {
    const script = document.createElement("script");
    const settle = () => (handedOver.has(name) ? done(handedOver.get(name)) : failed(new Error(name)));
    script.onload = script.onerror = settle;
    script.src = site.loads[name] ?? ""; // a name that nothing has is an error of the script, too
    document.head.append(script);
  });
  loaded.catch(() => requests.delete(name));
  requests.set(name, loaded);
  return loaded;
}

/** What `index.html` knows: the languages, the file of each value, the style of each component, and the site's address where it is known. */
interface SiteData {
  languages: { code: string; name: string }[];
  loads: Record<string, string>;
  styles: Record<string, string>;
  base: string;
  /** The code of a frame in another page, with `{address}` and `{title}`. */
  frame: string;
}

export interface GalleryEntry {
  name: string;
  title: string;
  kind: string;
  shows: string;
  drafter: string;
  /** Its draft model where it is not the usual one: " (draft-tiny)". */
  draft: string;
  target: string;
  prompt: string;
  /** Runs of one group have one target, prompt and temperature: they can race. */
  group: string;
  tags: string[];
  tokens: number;
  passes: number;
  speedup: number | null;
  judged: number;
  accepted: number;
  lanes: LaneView[];
  data: string;
}

export interface ZooPair {
  mark: string;
  clue: string;
  what: string;
  settings: string;
  broken: string;
  /** The broken run with the round marked where its bug shows. */
  found: string;
  honest: string;
}

declare global {
  interface Window {
    siteData: (name: string, value: unknown) => void;
  }
}

/**
 * What a page is given besides its address: the reader's language, with its words. `say` gives a sentence of the site's own by its key, or says any
 * other English text.
 */
export type Reader = {
  language: string;
  spoken: Spoken;
  say: (key: string, values?: Record<string, string | number>) => string;
};

export async function readerOf(language: string): Promise<Reader> {
  const { words, spoken } = await load(`words-${language}`);
  useWords(spoken);
  return { language, spoken, say: (key, values) => word(Object.hasOwn(words, key) ? words[key] : key, values) };
}

/** Shows the latest component again. */
let wear = () => {};
onOtherColours(() => wear());

/**
 * Show a component, or give it other data.
 * @param host an element of the page; the component's name is its class.
 * @param more beside the data, for the component
 */
export async function showPart(
  host: HTMLElement,
  name: "learn" | "player" | "race" | "duel",
  reader: Reader,
  data: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<{ shadow: ShadowRoot; module: Json; root: HTMLElement }> {
  const [module, context] = await Promise.all([load(`part-${name}`), load("given"), styled(host, name)]);
  const shadow = host.shadowRoot as ShadowRoot;
  const root = shadow.lastElementChild as HTMLElement;
  module.useWords?.(reader.spoken);
  root.lang = reader.language;
  const component = {
    data: { ...context, spoken: reader.spoken, ...data },
    parentElement: shadow,
    setTriggerValue: () => {},
    ...more,
  };
  module.default(component);
  wear = () => {
    if (host.isConnected) module.default(component);
  };
  return { shadow, module, root };
}

async function styled(host: HTMLElement, name: string) {
  if (host.shadowRoot) return;
  host.classList.add("part", name);
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = el("link", { rel: "stylesheet", href: site.styles[name] });
  const loaded = new Promise((done) => {
    sheet.onload = sheet.onerror = done;
  });
  shadow.append(sheet, el("div", name === "learn" ? "learn" : name === "player" ? "stage" : `stage ${name}`));
  await loaded;
}

/** Markup that `specviz site` wrote: the tables of the zoo and the teacher's page. Nothing of a model or of a recording is in it. */
export function ownHtml(html: string) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const node = el("div", "own");
  node.append(template.content);
  return node;
}

/** A sentence on what is wrong, which a screen reader speaks at once. */
export function alertOf(sentence: string) {
  return el("p", { class: "learn-problem", role: "alert" }, sentence);
}
