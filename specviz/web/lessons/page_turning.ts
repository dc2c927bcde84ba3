// The pages of a lesson and the address of each: pure functions, no DOM.

import type { LearnAddress } from "./lesson_types.ts";

/** What an address names to see all terms. */
export const GLOSSARY_NAME = "glossary";

/** Which page an address opens, as an index; null where it names one that is not there. Without a step it is the first. */
export function pageOf(search: string, count: number) {
  const named = new URLSearchParams(search).get("step");
  if (!named) return 0;
  const number = /^\d{1,4}$/.test(named) ? Number(named) : 0;
  return number >= 1 && number <= count ? number - 1 : null;
}

/** The address's parameters for a page of a lesson. `search`: what the address has now; other parameters stay. */
export function searchOf(search: string, { name }: { name: string }, index: number) {
  const query = new URLSearchParams(search);
  query.set("lesson", name);
  query.set("step", String(index + 1));
  return `?${query}`;
}

/** How the addresses of a page name its lessons: here by their parameters. */
export const BY_QUERY: LearnAddress = {
  search: () => location.search,
  of: (lesson, index) => searchOf(location.search, lesson, index),
  link: (name) => {
    const spoken = new URLSearchParams(location.search).get("lang");
    const query = new URLSearchParams({
      ...(name ? { lesson: name } : {}),
      ...(name && name !== GLOSSARY_NAME ? { step: "1" } : {}),
      ...(spoken ? { lang: spoken } : {}),
    });
    return `?${query}`;
  },
};
