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

/** The attributes of a new element, or its class alone. @typedef {string | Record<string, string | number | true>} Attributes */

/**
 * A new element with words and other nodes in it.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(string | Node | undefined)[]} content
 */
export function el(tag, attributes = "", ...content) {
  return furnished(document.createElement(tag), attributes, content);
}

/**
 * A new part of a picture.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(string | Node | undefined)[]} content
 */
export function shape(tag, attributes = "", ...content) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
}

/**
 * @template {Element} Node
 * @param {Node} node
 * @param {Attributes} attributes
 * @param {(string | globalThis.Node | undefined)[]} content
 */
function furnished(node, attributes, content) {
  const given = typeof attributes === "string" ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(given)) {
    if (value !== "") node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...content.filter((each) => each !== undefined));
  return node;
}

/**
 * A button that does something.
 * @param {Attributes} attributes
 * @param {string} text
 * @param {(event: MouseEvent) => void} act
 */
export function button(attributes, text, act) {
  const node = el("button", attributes, text);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

/**
 * What a part of the page is, and its name, for those who hear the page.
 * @param {Element} node
 * @param {string} role
 * @param {string} label
 */
export function named(node, role, label) {
  node.setAttribute("role", role);
  node.setAttribute("aria-label", label);
}

/**
 * Set attributes where they changed; numbers to a tenth of a pixel.
 * @param {Element} node
 * @param {Record<string, number | string>} attributes
 */
export function place(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? String(Math.round(value * 10) / 10) : value;
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/**
 * A picture of a few paths on a ground of 24 by 24, for eyes only.
 * @param {string} className
 * @param {[className: string, d: string][]} paths
 */
export function icon(className, paths) {
  const svg = shape("svg", className);
  place(svg, { viewBox: "0 0 24 24", "aria-hidden": "true" });
  for (const [name, d] of paths) {
    const path = shape("path", name);
    place(path, { d });
    svg.append(path);
  }
  return svg;
}

/** @param {IconName} name @param {string} label @param {() => void} act */
export function iconButton(name, label, act) {
  const node = button(`button ${name}`, "", act);
  wearIcon(node, name, label);
  return node;
}

/**
 * @param {string} address
 * @param {string} className
 * @param {...(Node | string)} inside
 */
export function linkTo(address, className, ...inside) {
  return el("a", { class: className, href: address }, ...inside);
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
  const node = el("select", { class: className, "aria-label": label });
  for (const [value, text] of options) node.add(new Option(text, value));
  node.value = chosen;
  node.addEventListener("change", () => act(node.value));
  return node;
}

/** @param {HTMLElement} node @param {IconName} name @param {string} label */
function wearIcon(node, name, label) {
  node.setAttribute("aria-label", label);
  node.replaceChildren(icon("", [["", ICONS[name]]]));
}

/** @param {HTMLElement} node @param {boolean} playing */
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

/** What has the focus in the document or shadow root that a node is in. @param {Node} node */
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
  listenWhileShown(root, document, "keydown", (event) => {
    if (event.target === document.body) hear(event);
  });
}

/**
 * Hear of something as long as a node is on the page.
 * @param {Node} node
 * @param {EventTarget} source
 * @param {string} kind
 * @param {(event: any) => void} hear
 * @param {boolean} [first] before those inside hear of it.
 */
export function listenWhileShown(node, source, kind, hear, first = false) {
  /** @type {(event: Event) => void} */
  const listener = (event) => {
    if (node.isConnected) hear(event);
    else source.removeEventListener(kind, listener, first);
  };
  source.addEventListener(kind, listener, first);
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

/** @param {Node} node @param {string} text */
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

/** Which of the two themes the page has, from the colour of its background. @param {HTMLElement} node */
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

/** The size of a node in CSS pixels, kept up to date. @param {Element} node */
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
