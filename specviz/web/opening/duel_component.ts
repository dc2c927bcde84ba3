// The opening as a component of the page: once for each browser. Its recording is fetched once, by its own address.

import { themeOf } from "../shared/dom.ts";
import type { PlayerContext, Recording } from "../shared/json_types.ts";
import { readRun } from "../shared/read_recording.ts";
import type { ComponentOf } from "../shared/run_types.ts";
import { Duel } from "./duel.ts";

/** What the page gives: where the recording is, or the recording itself; a page that keeps no cookie shows the opening for good. */
type DuelData = { cookie?: string; recorded_at?: string; recording?: Recording; prompt_box?: string };

function mountDuel({ data, parentElement, setTriggerValue }: ComponentOf<DuelData & PlayerContext>) {
  const root = parentElement.querySelector(".duel");
  if (!(root instanceof HTMLElement) || !data) return;
  root.dataset.theme = themeOf(root);
  if (root.dataset.begun) return;
  root.dataset.begun = "1";
  const choose = (way: "why" | "own" | "close") => {
    if (data.cookie) {
      remember(data.cookie);
      root.hidden = true;
      if (way === "own" && data.prompt_box) holdFocus(data.prompt_box);
    }
    setTriggerValue?.("way", way);
  };
  const begin = (recording: Recording) => {
    new Duel(root, readRun({ id: "opening", status: "opened", recording }, data), choose);
  };
  root.classList.toggle("stays", !data.cookie);
  const recorded = data.recording
    ? Promise.resolve(data.recording)
    : fetch(data.recorded_at ?? "").then((answer) => answer.json());
  recorded.then(begin).catch(() => {
    root.hidden = true;
  });
}

const HOLD_MS = 10_000;

/**
 * A field gets the focus, its text selected so that typing replaces it, and again where the page draws it anew or the stage takes the focus, until the visitor presses anything.
 * @param field its selector
 */
function holdFocus(field: string) {
  const until = performance.now() + HOLD_MS;
  const released = new AbortController();
  for (const press of ["pointerdown", "keydown"])
    document.addEventListener(press, () => released.abort(), { capture: true, signal: released.signal });
  const hold = (again = true) => {
    const box = document.querySelector(field);
    if (released.signal.aborted || performance.now() > until) return released.abort();
    if (box instanceof HTMLTextAreaElement && document.activeElement !== box) {
      box.focus({ preventScroll: again });
      box.select();
    }
    requestAnimationFrame(() => hold());
  };
  hold(false);
}

/** The browser keeps for a year that somebody was here. */
function remember(cookie: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before it sends the page, which no other storage allows
  document.cookie = `${cookie}=1; path=/; max-age=31536000; samesite=lax`;
}

export { useWords } from "../shared/words.ts";

export default mountDuel;
