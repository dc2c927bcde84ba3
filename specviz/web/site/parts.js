// A component of the app inside a page of the site: in a shadow of its own, as Streamlit mounts it, so that the styles stay apart.

/** @import { Reader } from "./reader.js" */

import { el, onOtherColours } from "../shared/dom.js";
import { load, site } from "./loading.js";

/** Shows the latest component again. */
let wear = () => {};
onOtherColours(() => wear());

/**
 * Show a component, or give it other data.
 * @param {HTMLElement} host an element of the page; the component's name is its class.
 * @param {"learn" | "player" | "race" | "duel"} name
 * @param {Reader} reader
 * @param {Record<string, unknown>} data
 * @param {Record<string, unknown>} [more] beside the data, for the component
 * @returns {Promise<{ shadow: ShadowRoot, module: any, root: HTMLElement }>}
 */
export async function showPart(host, name, reader, data, more = {}) {
  const [module, given] = await Promise.all([load(`part-${name}`), load("given"), styled(host, name)]);
  const shadow = /** @type {ShadowRoot} */ (host.shadowRoot);
  const root = /** @type {HTMLElement} */ (shadow.lastElementChild);
  module.useWords?.(reader.spoken);
  root.lang = reader.language;
  const component = {
    data: { ...given, spoken: reader.spoken, ...data },
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

/**
 * @param {HTMLElement} host
 * @param {string} name
 */
async function styled(host, name) {
  if (host.shadowRoot) return;
  host.classList.add("part", name);
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = el("link");
  const loaded = new Promise((done) => {
    sheet.onload = sheet.onerror = done;
  });
  sheet.rel = "stylesheet";
  sheet.href = site.styles[name];
  shadow.append(sheet, el("div", name === "learn" ? "learn" : name === "player" ? "stage" : `stage ${name}`));
  await loaded;
}

/**
 * Markup that `specviz site` wrote: the tables of the zoo and the teacher's page. Nothing of a model or of a recording is in it.
 * @param {string} html
 */
export function ownHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const node = el("div", "own");
  node.append(template.content);
  return node;
}

/** A sentence on what is wrong, which a screen reader speaks at once. @param {string} sentence */
export function alertOf(sentence) {
  return el("p", { class: "learn-problem", role: "alert" }, sentence);
}
