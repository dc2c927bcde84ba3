// Small helpers for building the picture. Text goes in by textContent only.

import { word } from "./words.ts";

const ICONS = {
  first: "M6 5h2v14H6zM20 5v14L9 12z",
  back: "M19 5v14L9 12zM5 5h2v14H5z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M5 5v14l10-7zM17 5h2v14h-2z",
};

type IconName = keyof typeof ICONS;

/** The attributes of a new element and the variables of its style, or its class alone. */
type Attributes = string | Record<string, string | number | boolean>;

/** A new element with words and other nodes in it. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = "",
  ...content: (string | Node | undefined)[]
) {
  return furnished(document.createElement(tag), attributes, content);
}

/** A new part of a picture. */
export function shape<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = "",
  ...content: (string | Node | undefined)[]
) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
}

function furnished<Node extends HTMLElement | SVGElement>(
  node: Node,
  attributes: Attributes,
  content: (string | globalThis.Node | undefined)[],
) {
  const attributesByName = typeof attributes === "string" ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(attributesByName)) {
    if (name.startsWith("--")) node.style.setProperty(name, String(value));
    else if (value !== "" && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...content.filter((part) => part !== undefined));
  return node;
}

/** A button that does something. */
export function button(attributes: Attributes, text: string, act: (event: MouseEvent) => void) {
  const node = el("button", attributes, text);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

/** Do something when a part is pointed at or gets the focus, and when it is left. */
export function onPointed(node: Element, act: (on: boolean) => void) {
  for (const event of ["pointerenter", "focus"]) node.addEventListener(event, () => act(true));
  for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => act(false));
}

/** What a part of the page is, and its name, for those who hear the page. */
export function named(node: Element, role: string, label: string) {
  node.setAttribute("role", role);
  node.setAttribute("aria-label", label);
}

/** Set attributes where they changed; numbers to a tenth of a pixel. */
export function place(node: Element, attributes: Record<string, number | string>) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? String(Math.round(value * 10) / 10) : value;
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** A picture of a few paths on a ground of 24 by 24, for eyes only. */
export function icon(className: string, paths: [className: string, d: string][]) {
  const drawn = paths.map(([name, d]) => shape("path", { class: name, d }));
  return shape("svg", { class: className, viewBox: "0 0 24 24", "aria-hidden": "true" }, ...drawn);
}

export function iconButton(name: IconName, label: string, act: () => void) {
  const node = button(`button ${name}`, "", act);
  wearIcon(node, name, label);
  return node;
}

export function linkTo(address: string, className: string, ...inside: (Node | string)[]) {
  return el("a", { class: className, href: address }, ...inside);
}

/** A list of which one is chosen. */
export function pickerOf(
  className: string,
  label: string,
  options: [value: string, text: string][],
  chosen: string,
  act: (value: string) => void,
) {
  const node = el("select", { class: className, "aria-label": label });
  for (const [value, text] of options) node.add(new Option(text, value));
  node.value = chosen;
  node.addEventListener("change", () => act(node.value));
  return node;
}

function wearIcon(node: HTMLElement, name: IconName, label: string) {
  node.setAttribute("aria-label", label);
  node.replaceChildren(icon("", [["", ICONS[name]]]));
}

export function wearPlaying(node: HTMLElement, playing: boolean) {
  if (node.dataset.playing === String(playing)) return;
  node.dataset.playing = String(playing);
  if (playing) wearIcon(node, "pause", word("Pause (space)"));
  else wearIcon(node, "play", word("Play (space)"));
}

/** Show or hide a part; the focus, if it was inside, moves to the stage, so that the keys still work. */
export function reveal(node: HTMLElement, on: boolean) {
  const stage = node.closest(".stage");
  const inside = node.contains(activeIn(node));
  if (!on && inside && stage instanceof HTMLElement) stage.focus({ preventScroll: true });
  node.hidden = !on;
}

/** What has the focus in the document or shadow root that a node is in. */
export function activeIn(node: Node) {
  const root = node.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/** Keys that a slider with the focus has for itself. */
export const SLIDER_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

/** A part of the page hears its keys when it has the focus, and when nothing has it. */
export function listenForKeys(root: HTMLElement, hear: (event: KeyboardEvent) => void) {
  root.addEventListener("keydown", hear);
  listenWhileShown(root, document, "keydown", (event: KeyboardEvent) => {
    if (event.target === document.body) hear(event);
  });
}

/** Hear of something as long as a node is on the page. `first`: before those inside hear of it. */
export function listenWhileShown<Heard extends Event>(
  node: Node,
  source: EventTarget,
  kind: string,
  hear: (event: Heard) => void,
  first = false,
) {
  const listener = (event: Event) => {
    if (node.isConnected) hear(event as Heard);
    else source.removeEventListener(kind, listener, first);
  };
  source.addEventListener(kind, listener, first);
}

/** A window narrower than this is a phone's. */
const PHONE_PX = 640;

/** After a button started something, the stage takes the focus from it; never from a field that is being written in. */
export function takeKeys(root: HTMLElement) {
  const holder = document.activeElement;
  if (!holder || holder === document.body || holder.tagName === "BUTTON") root.focus({ preventScroll: true });
  if (window.innerWidth < PHONE_PX) bringIntoView(root);
}

/** On a phone the stage lies below the buttons: its top comes to the top of the screen, just under the page's own bar. */
function bringIntoView(root: HTMLElement) {
  root.style.scrollMarginTop = "4rem";
  root.scrollIntoView({ block: "start" });
}

/** Keep the end of a text in view, on the last of the whole lines that the box has room for. */
export function followEnd(box: HTMLElement, caret: HTMLElement) {
  const bottom = caret.offsetTop + caret.offsetHeight;
  if (bottom <= box.scrollTop + box.clientHeight && caret.offsetTop >= box.scrollTop) return;
  const line = Number.parseFloat(getComputedStyle(box).lineHeight) || caret.offsetHeight;
  const room = Math.max(1, Math.floor((box.clientHeight + 1) / line));
  box.scrollTop = Math.max(0, Math.floor(bottom / line - 0.5) + 1 - room) * line;
}

const drawnFor: WeakMap<object, string> = new WeakMap();

/** True where the values differ from those of the last call for this node, so that it must be drawn again. */
export function isNew(node: object, ...values: unknown[]) {
  const key = values.join();
  if (drawnFor.get(node) === key) return false;
  drawnFor.set(node, key);
  return true;
}

export function setText(node: Node, text: string) {
  if (node.textContent !== text) node.textContent = text;
}

/** A token's text on a card, and under it what it is where that cannot be read from it. */
export function setLabel(node: HTMLElement, label: { text: string; says?: string } | null) {
  setText(node, label?.text ?? "");
  const says = label?.says ?? "";
  if ((node.dataset.says ?? "") !== says) node.dataset.says = says;
}

/** Which of the two themes the page has, from the colour of its background. */
export function themeOf(node: HTMLElement) {
  const probe = el("span");
  probe.style.color = "var(--st-background-color, #fff)";
  node.append(probe);
  const [r, g, b] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  probe.remove();
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

/** Do something whenever the page's colours become others: for a dark system, and for paper. */
export function onOtherColours(act: () => void) {
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", act);
}

/** The size of a node in CSS pixels, kept up to date. `changed` is called when it became another. */
export function sizeOf(node: Element, changed = () => {}) {
  const size = { width: 0, height: 0 };
  new ResizeObserver(([entry]) => {
    size.width = entry.contentRect.width;
    size.height = entry.contentRect.height;
    changed();
  }).observe(node);
  return size;
}
