// What the page loads when it needs it: each file is a script that hands over a value under a name, since a page that was opened from disk
// may not fetch files.

/** @import { SiteData } from "./types" */

/** @type {SiteData} */
export const site = JSON.parse(document.getElementById("site")?.textContent ?? "null");

/** @type {Map<string, unknown>} */
const handedOver = new Map();
/** @type {Map<string, Promise<any>>} */
const asked = new Map();

window.siteData = (name, value) => {
  handedOver.set(name, value);
};

/**
 * What a file of the site hands over.
 * @param {string} name
 * @returns {Promise<any>}
 */
export function load(name) {
  const known = asked.get(name);
  if (known) return known;
  const loaded = new Promise((done, failed) => {
    const script = document.createElement("script");
    const lost = () => {
      asked.delete(name);
      failed(new Error(name));
    };
    script.addEventListener("load", () => (handedOver.has(name) ? done(handedOver.get(name)) : lost()));
    script.addEventListener("error", lost);
    script.src = site.loads[name] ?? "";
    if (site.loads[name]) document.head.append(script);
    else lost();
  });
  asked.set(name, loaded);
  return loaded;
}
