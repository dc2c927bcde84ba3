// The site's addresses: `#/de/learn/editor/4`, in which the language may be missing. Pure but for the address of the page.

import { isEmbedded } from "../shared/embed.ts";
import { site } from "./loading.ts";

type Route = { language: string; page: string; rest: string[] };

const codes = site.languages.map(({ code }) => code);

/** Where an address leads. */
export function routeOf(hash: string): Route {
  const parts = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .filter(Boolean)
    .map(decoded);
  const language = codes.includes(parts[0]) ? (parts.shift() ?? "") : preferred();
  return { language, page: parts[0] ?? "front", rest: parts.slice(1) };
}

function decoded(part: string) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The first language of the browser's that the site has. */
function preferred() {
  const wanted = navigator.languages.flatMap((code) => [code, code.split("-")[0]]);
  return wanted.find((code) => codes.includes(code)) ?? "en";
}

/** Whether this address names its language, which then stays. */
const named = () => codes.includes(location.hash.split("/")[1] ?? "");

/** The address of a page in the language that is read. */
export function to(...parts: (string | number)[]) {
  return hashOf(named() ? routeOf(location.hash).language : "", parts);
}

/** The same page in another language. */
export function inLanguage(language: string) {
  const { page, rest } = routeOf(location.hash);
  return hashOf(language, page === "front" ? [] : [page, ...rest]);
}

function hashOf(language: string, parts: (string | number)[]) {
  const path = [...(language ? [language] : []), ...parts].map((part) => encodeURIComponent(part)).join("/");
  return `#/${path}`;
}

/** The full address of a page, for another page or person: that of the built site where this copy was opened from disk. */
export function fullAddress(hash: string, inFrame: boolean = isEmbedded()) {
  const built = location.protocol === "file:" && /^https?:/.test(site.base);
  const address = new URL(built ? site.base : location.href);
  address.search = inFrame ? "embed=1" : "";
  address.hash = hash;
  return address.href;
}
