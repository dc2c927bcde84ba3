// Learn, as the app shows it; its pages have addresses of the site.

/** @import { Reader } from "./reader.js" */

import { isEmbedded } from "../shared/embed.js";
import { to } from "./address.js";
import { openCommands } from "./dialogs.js";
import { load } from "./loading.js";
import { showPart } from "./parts.js";

const GLOSSARY = "glossary";

/**
 * @param {HTMLElement} page
 * @param {string[]} first
 * @param {Reader} reader
 */
export async function learnPage(page, first, reader) {
  const { language } = reader;
  const { lessons, ...shared } = await load(`learn-${language}`);
  /** @param {string[]} rest */
  const update = async ([name = "", step = "1"]) => {
    const open = lessons[name]
      ? await load(lessons[name])
      : { lesson: null, views: {}, dots: [], costs: null, sheet: "" };
    const data = {
      ...shared,
      ...open,
      views: await withRecordings(open),
      edition: `${name} ${language}`,
      languages: [],
      language,
      problem: !name || open.lesson || name === GLOSSARY ? "" : reader.say("nowhere", { name }),
      glossary_open: name === GLOSSARY,
      glossary_language: language,
      talk: false,
      notes: false,
    };
    const address = {
      search: () => `?step=${encodeURIComponent(step)}`,
      of: (/** @type {{ name: string }} */ lesson, /** @type {number} */ index) => to("learn", lesson.name, index + 1),
      link: (/** @type {string} */ there) =>
        there ? to("learn", there, ...(there === GLOSSARY ? [] : [1])) : to("learn"),
    };
    const { root } = await showPart(page, "learn", reader, data, { address, setTriggerValue: go(reader) });
    root.classList.toggle("in-frame", isEmbedded());
    return open.lesson?.title ?? (name === GLOSSARY ? shared.words.glossary : undefined);
  };
  return { update, title: await update(first) };
}

/** @param {{ views: Record<string, { recording: string }> }} open whose views name their recordings */
async function withRecordings({ views }) {
  const found = Object.entries(views).map(async ([name, view]) => [
    name,
    { ...view, recording: await load(view.recording) },
  ]);
  return Object.fromEntries(await Promise.all(found));
}

/**
 * What Learn asks its server for.
 * @param {Reader} reader
 * @returns {(what: string, value: any) => void}
 */
function go(reader) {
  return (what, value) => {
    if (what !== "go") openCommands(reader);
    else if (value.teach) location.hash = to("teach");
    else
      location.hash = value.lesson
        ? to("learn", value.lesson, ...(value.lesson === GLOSSARY ? [] : [value.step]))
        : to("learn");
  };
}
