// Two small windows: what needs models on one's own computer, and what to share of the open page.

import { button, el } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import { fullAddress } from "./address.ts";
import type { Reader } from "./loading.ts";
import { site } from "./loading.ts";

const COMMANDS = ["pip install 'path/to/specviz[app]'", "specviz app"];

function open(reader: Reader, title: string, parts: HTMLElement[]) {
  const dialog = el("dialog", { class: "window", "aria-label": title });
  const close = button("learn-button", reader.say("close"), () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(el("h2", "", title), ...parts, close);
  document.body.append(dialog);
  dialog.showModal();
}

/** The sentence on what needs models, and the two commands. */
export function commands(reader: Reader, says = "own_says") {
  const code = el("pre", { class: "commands", tabindex: 0 }, COMMANDS.join("\n"));
  return [el("p", "", reader.say(says)), code, el("p", "learn-faint", reader.say("own_where"))];
}

export function openCommands(reader: Reader) {
  open(reader, reader.say("own"), commands(reader));
}

/** A link to a page, and the code of a frame that shows it in another page. */
export function openShare(reader: Reader, hash: string) {
  const frame = filledIn(site.frame, { address: asHtml(fullAddress(hash, true)), title: asHtml(document.title) });
  open(reader, reader.say("share"), [
    ...copied(reader, "share_link", fullAddress(hash, false)),
    ...copied(reader, "share_frame", frame),
  ]);
}

function asHtml(text: string) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function copied(reader: Reader, title: string, text: string) {
  const rows = text.length > 120 ? 5 : 2;
  const area = el("textarea", { class: "code", readonly: true, rows, "aria-label": reader.say(title) }, text);
  const copy = button("learn-button", reader.say("copy"), async () => {
    area.select();
    const written = await navigator.clipboard
      ?.writeText(text) // there is none on http:// of a network
      .then(() => true)
      .catch(() => false);
    copy.textContent = reader.say(written || document.execCommand("copy") ? "copied" : "selected");
  });
  return [el("h3", "", reader.say(title)), area, copy];
}
