// Small helpers for building the picture. Text goes in by textContent only.

import { word } from "./words.js";

const ICONS = {
  first: "M6 5h2v14H6zM20 5v14L9 12z",
  back: "M19 5v14L9 12zM5 5h2v14H5z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M5 5v14l10-7zM17 5h2v14h-2z",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 */
export function el(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/**
 * A new part of a picture.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text]
 */
export function shape(tag, className, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (className) node.setAttribute("class", className);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** @param {IconName} name */
function icon(name) {
  const svg = shape("svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = shape("path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * @param {string} text
 * @param {string} className
 * @param {() => void} act
 */
export function buttonOf(text, className, act) {
  const node = el("button", className, text);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

/**
 * @param {IconName} name
 * @param {string} label
 * @param {() => void} act
 */
export function iconButton(name, label, act) {
  const node = buttonOf("", `button ${name}`, act);
  wearIcon(node, name, label);
  return node;
}

/**
 * A sentence on what is wrong, which a screen reader speaks at once.
 * @param {string} className
 * @param {string} [sentence]
 */
export function alertOf(className, sentence) {
  const node = el("p", className, sentence);
  node.setAttribute("role", "alert");
  return node;
}

/**
 * @param {string} className
 * @param {(Node | string)[]} items
 */
export function listOf(className, items) {
  const list = el("ul", className);
  for (const item of items) list.appendChild(el("li")).append(item);
  return list;
}

/**
 * @param {string} address
 * @param {string} className
 * @param {...(Node | string)} inside
 */
export function linkTo(address, className, ...inside) {
  const node = el("a", className);
  node.href = address;
  node.append(...inside);
  return node;
}

/**
 * A list of which one is chosen.
 * @param {string} className
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} act
 */
export function pickerOf(className, label, options, chosen, act) {
  const node = el("select", className);
  node.setAttribute("aria-label", label);
  for (const [value, text] of options) node.add(new Option(text, value));
  node.value = chosen;
  node.addEventListener("change", () => act(node.value));
  return node;
}

/**
 * @param {HTMLElement} node
 * @param {IconName} name
 * @param {string} label
 */
function wearIcon(node, name, label) {
  node.title = label;
  node.setAttribute("aria-label", label);
  node.replaceChildren(icon(name));
}

/**
 * @param {HTMLElement} node
 * @param {boolean} playing
 */
export function wearPlaying(node, playing) {
  if (node.dataset.playing === String(playing)) return;
  node.dataset.playing = String(playing);
  if (playing) wearIcon(node, "pause", word("Pause (space)"));
  else wearIcon(node, "play", word("Play (space)"));
}

/**
 * Show or hide a part; the focus, if it was inside, moves to the stage, so that the keys still work.
 * @param {HTMLElement} node
 * @param {boolean} on
 */
export function reveal(node, on) {
  const stage = node.closest(".stage");
  const inside = node.contains(activeIn(node));
  if (!on && inside && stage instanceof HTMLElement) stage.focus({ preventScroll: true });
  node.hidden = !on;
}

/**
 * What has the focus in the document or shadow root that a node is in.
 * @param {Node} node
 */
export function activeIn(node) {
  const root = node.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/**
 * A part of the page hears its keys when it has the focus, and when nothing has it.
 * @param {HTMLElement} root
 * @param {(event: KeyboardEvent) => void} hear
 */
export function listenForKeys(root, hear) {
  root.addEventListener("keydown", hear);
  /** @type {(event: KeyboardEvent) => void} */
  const whenIdle = (event) => {
    if (!root.isConnected) document.removeEventListener("keydown", whenIdle);
    else if (event.target === document.body) hear(event);
  };
  document.addEventListener("keydown", whenIdle);
}

/** A window narrower than this is a phone's. */
const PHONE_PX = 640;

/**
 * After a button started something, the stage takes the focus from it; never from a field that is being written in.
 * @param {HTMLElement} root
 */
export function takeKeys(root) {
  const holder = document.activeElement;
  if (!holder || holder === document.body || holder.tagName === "BUTTON") root.focus({ preventScroll: true });
  if (window.innerWidth < PHONE_PX) bringIntoView(root);
}

/**
 * On a phone the stage lies below the buttons: its top comes to the top of the screen, just under the page's own bar.
 * @param {HTMLElement} root
 */
function bringIntoView(root) {
  root.style.scrollMarginTop = "4rem";
  root.scrollIntoView({ block: "start" });
}

/**
 * Keep the end of a text in view, on the last of the whole lines that the box has room for.
 * @param {HTMLElement} box
 * @param {HTMLElement} caret
 */
export function followEnd(box, caret) {
  const bottom = caret.offsetTop + caret.offsetHeight;
  if (bottom <= box.scrollTop + box.clientHeight && caret.offsetTop >= box.scrollTop) return;
  const line = Number.parseFloat(getComputedStyle(box).lineHeight) || caret.offsetHeight;
  const room = Math.max(1, Math.floor((box.clientHeight + 1) / line));
  box.scrollTop = Math.max(0, Math.floor(bottom / line - 0.5) + 1 - room) * line;
}

/**
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A token's text on a card, and under it what it is where that cannot be read from it.
 * @param {HTMLElement} node
 * @param {{ text: string, says?: string } | null} label
 */
export function setLabel(node, label) {
  setText(node, label?.text ?? "");
  const says = label?.says ?? "";
  if ((node.dataset.says ?? "") !== says) node.dataset.says = says;
}

/**
 * Which of the two themes the page has, from the colour of its background.
 * @param {HTMLElement} node
 */
export function themeOf(node) {
  const probe = el("span");
  probe.style.color = "var(--st-background-color, #fff)";
  node.append(probe);
  const [r, g, b] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  probe.remove();
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

/**
 * Do something whenever the page's colours become others: for a dark system, and for paper.
 * @param {() => void} act
 */
export function onOtherColours(act) {
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", act);
}

/**
 * The size of a node in CSS pixels, kept up to date.
 * @param {Element} node
 */
export function sizeOf(node) {
  const size = { width: 0, height: 0 };
  new ResizeObserver(([entry]) => {
    size.width = entry.contentRect.width;
    size.height = entry.contentRect.height;
  }).observe(node);
  return size;
}

/** @param {HTMLCanvasElement} canvas */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}
