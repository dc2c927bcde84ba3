// What the page loads when it needs it: each file is a script that hands over a value under a name, since a page that was opened from disk
// may not fetch files.

import type { Json } from "../shared/json_types.ts";
import type { SiteData } from "./site_types.ts";

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
