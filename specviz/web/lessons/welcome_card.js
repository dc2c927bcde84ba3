// The first visit: three sentences and two buttons, once.

/** @import { WelcomeComponent } from "./types" */

import { el } from "../shared/dom.js";
import { button } from "./lesson_page.js";

const SENTENCES = [
  "A large language model writes one token at a time, and each one costs it a full pass.",
  "A small helper can guess the next tokens, so that the large model checks several of them in one pass.",
  "The text stays the large model's own. It only comes sooner, and here you can watch how.",
];

/** @param {WelcomeComponent} component */
function mountWelcome({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".welcome");
  if (!(root instanceof HTMLElement) || !data || root.firstChild) return;
  const dialog = el("dialog", "welcome-card");
  const title = el("h2", "welcome-title", "Speculative decoding");
  title.id = "welcome-title";
  dialog.setAttribute("aria-labelledby", title.id);
  /** @param {string} way */
  const choose = (way) => {
    remember(data.cookie);
    dialog.close();
    setTriggerValue("way", way);
  };
  const buttons = el("div", "welcome-buttons");
  const show = button("show-me", "Show me", () => choose("show"));
  show.autofocus = true;
  buttons.append(
    show,
    button("let-me-try", "Let me try", () => choose("try")),
  );
  dialog.append(title, ...SENTENCES.map((sentence) => el("p", "", sentence)), buttons);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    choose("try");
  });
  root.append(dialog);
  dialog.showModal();
}

/**
 * The browser keeps for a year that somebody was here.
 * @param {string} cookie
 */
function remember(cookie) {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before it sends the page, which no other storage allows
  document.cookie = `${cookie}=1; path=/; max-age=31536000; samesite=lax`;
}

export default mountWelcome;
