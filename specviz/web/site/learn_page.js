// Learn, as the app shows it; its pages have addresses of the site.

/** @import { Reader } from "./reader.js" */

import { GLOSSARY_NAME } from "../lessons/page_turning.js";
import { isEmbedded } from "../shared/embed.js";
import { routeOf, to } from "./address.js";
import { openCommands, openShare } from "./dialogs.js";
import { load } from "./loading.js";
import { showPart } from "./parts.js";

/**
 * @param {HTMLElement} page
 * @param {string[]} first
 * @param {Reader} reader
 */
export async function learnPage(page, first, reader) {
  const { language } = reader;
  const { lessons, ...shared } = await load(`learn-${language}`);
  let turn = 0;
  /** @param {string[]} rest */
  const update = async ([name = ""]) => {
    turn += 1;
    const mine = turn;
    const open = Object.hasOwn(lessons, name) ? await load(lessons[name]) : {};
    const views = await withRecordings(open);
    if (mine !== turn) return undefined; // another chapter was asked for meanwhile
    const data = {
      ...shared,
      ...open,
      views,
      edition: `${name} ${language}`,
      problem: !name || open.lesson || name === GLOSSARY_NAME ? "" : reader.say("nowhere", { name }),
      glossary_open: name === GLOSSARY_NAME,
    };
    const address = {
      search: () => `?step=${encodeURIComponent(routeOf(location.hash).rest[1] ?? "1")}`,
      of: (/** @type {{ name: string }} */ lesson, /** @type {number} */ index) => there(lesson.name, index + 1),
      link: there,
    };
    const { root } = await showPart(page, "learn", reader, data, { address, setTriggerValue: go(reader) });
    root.classList.toggle("in-frame", isEmbedded());
    return open.lesson?.title ?? (name === GLOSSARY_NAME ? shared.words.glossary : undefined);
  };
  return { update, title: await update(first) };
}

/** @param {{ views?: Record<string, { recording: string }> }} open whose views name their recordings */
async function withRecordings({ views = {} }) {
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
    if (what === "share") openShare(reader, location.hash);
    else if (what !== "go") openCommands(reader);
    else location.hash = value.teach ? to("teach") : there(value.lesson, value.step);
  };
}

/**
 * The address of the list of chapters, of the glossary or of a chapter's step.
 * @param {string} [name]
 * @param {number | string} [step]
 */
function there(name, step = 1) {
  return name ? to("learn", name, ...(name === GLOSSARY_NAME ? [] : [step])) : to("learn");
}
