// Learn, as the app shows it; its pages have addresses of the site.

import { GLOSSARY_NAME } from "../lessons/page_turning.ts";
import { isEmbedded } from "../shared/embed.ts";
import type { Json } from "../shared/json_types.ts";
import { routeOf, to } from "./address.ts";
import { openCommands, openShare } from "./dialogs.ts";
import type { Reader } from "./loading.ts";
import { load, showPart } from "./loading.ts";

export async function learnPage(page: HTMLElement, first: string[], reader: Reader) {
  const { language } = reader;
  const { lessons, ...shared } = await load(`learn-${language}`);
  let turn = 0;
  const update = async ([name = ""]: string[]) => {
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
      of: (lesson: { name: string }, index: number) => there(lesson.name, index + 1),
      link: there,
    };
    const { root } = await showPart(page, "learn", reader, data, { address, setTriggerValue: go(reader) });
    root.classList.toggle("in-frame", isEmbedded());
    return open.lesson?.title ?? (name === GLOSSARY_NAME ? shared.words.glossary : undefined);
  };
  return { update, title: await update(first) };
}

/** @param open whose views name their recordings */
async function withRecordings({ views = {} }: { views?: Record<string, { recording: string }> }) {
  const loaded = Object.entries(views).map(async ([name, view]) => [
    name,
    { ...view, recording: await load(view.recording) },
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}

/** What Learn asks its server for. */
function go(reader: Reader): (what: string, value: Json) => void {
  return (what, value) => {
    if (what === "share") openShare(reader, location.hash);
    else if (what !== "go") openCommands(reader);
    else location.hash = value.teach ? to("teach") : there(value.lesson, value.step);
  };
}

/** The address of the list of chapters, of the glossary or of a chapter's step. */
function there(name?: string, step: number | string = 1) {
  return name ? to("learn", name, ...(name === GLOSSARY_NAME ? [] : [step])) : to("learn");
}
