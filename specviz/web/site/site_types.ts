// What the built site hands over, as `specviz.site` writes it.

import type { LaneView } from "../race/race_types.ts";

/** What `index.html` knows: the languages, the file of each value, the style of each component, and the site's address where it is known. */
export interface SiteData {
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
  honest: string;
}

declare global {
  interface Window {
    siteData: (name: string, value: unknown) => void;
  }
}
