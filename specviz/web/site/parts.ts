// A component of the app inside a page of the site: in a shadow of its own, as Streamlit mounts it, so that the styles stay apart.

import { el, onOtherColours } from "../shared/dom.ts";
import type { Json } from "../shared/json_types.ts";
import type { Reader } from "./loading.ts";
import { load, site } from "./loading.ts";

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
