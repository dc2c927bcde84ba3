// What the page loads when it needs it: each file is a script that hands over a value under a name, since a page that was opened from disk
// may not fetch files.

import type { Json } from "../shared/json_types.ts";
import type { SiteData } from "./site_types.ts";

export const site: SiteData = JSON.parse(document.getElementById("site")?.textContent ?? "null");

const handedOver = new Map<string, unknown>();
const asked = new Map<string, Promise<Json>>();

window.siteData = (name, value) => {
  handedOver.set(name, value);
};

/** What a file of the site hands over. */
export function load(name: string): Promise<Json> {
  const known = asked.get(name);
  if (known) return known;
  const loaded = new Promise((done, failed) => {
    const script = document.createElement("script");
    const settle = () => (handedOver.has(name) ? done(handedOver.get(name)) : failed(new Error(name)));
    script.onload = script.onerror = settle;
    script.src = site.loads[name] ?? ""; // a name that nothing has is an error of the script, too
    document.head.append(script);
  });
  loaded.catch(() => asked.delete(name));
  asked.set(name, loaded);
  return loaded;
}
