// Two small windows: what needs models on one's own computer, and what to share of the open page.

/** @import { Reader } from "./reader.js" */

import { button, el } from "../shared/dom.js";
import { filledIn } from "../shared/words.js";
import { fullAddress } from "./address.js";
import { site } from "./loading.js";

const COMMANDS = ["pip install 'path/to/specviz[app]'", "specviz app"];

/**
 * @param {Reader} reader
 * @param {string} title
 * @param {HTMLElement[]} parts
 */
function open(reader, title, parts) {
  const dialog = el("dialog", { class: "window", "aria-label": title });
  const close = button("learn-button", reader.say("close"), () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(el("h2", "", title), ...parts, close);
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The sentence on what needs models, and the two commands.
 * @param {Reader} reader
 * @param {string} [says]
 */
export function commands(reader, says = "own_says") {
  const code = el("pre", "commands", COMMANDS.join("\n"));
  code.tabIndex = 0;
  return [el("p", "", reader.say(says)), code, el("p", "learn-faint", reader.say("own_where"))];
}

/** @param {Reader} reader */
export function openCommands(reader) {
  open(reader, reader.say("own"), commands(reader));
}

/**
 * A link to a page, and the code of a frame that shows it in another page.
 * @param {Reader} reader
 * @param {string} hash
 */
export function openShare(reader, hash) {
  const frame = filledIn(site.frame, { address: asHtml(fullAddress(hash, true)), title: asHtml(document.title) });
  open(reader, reader.say("share"), [
    ...copied(reader, "share_link", fullAddress(hash, false)),
    ...copied(reader, "share_frame", frame),
  ]);
}

/** @param {string} text */
function asHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * @param {Reader} reader
 * @param {string} title
 * @param {string} text
 */
function copied(reader, title, text) {
  const area = el("textarea", { class: "code", readonly: true, "aria-label": reader.say(title) }, text);
  area.rows = text.length > 120 ? 5 : 2;
  const copy = button("learn-button", reader.say("copy"), async () => {
    area.select();
    await navigator.clipboard?.writeText(text).catch(() => {}); // where that is not allowed, the text is selected
    copy.textContent = reader.say("copied");
  });
  return [el("h3", "", reader.say(title)), area, copy];
}
