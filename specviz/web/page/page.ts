// In the head of the page's HTML, before everything else: what the styles need of the address, presses and a focus that are not lost, and a way back.

import { holdPresses } from "./hold_press.ts";

/** Hear of something before anything on the page does. */
function hearFirst<Kind extends keyof WindowEventMap>(kind: Kind, hear: (event: WindowEventMap[Kind]) => void) {
  addEventListener(kind, hear, { capture: true });
}

/**
 * One press, one entry of the browser's history. Streamlit (1.67) makes an entry for every message that changes the address: a press that leads to
 * another screen clears the parameters, names the screen and writes its choices, and Back would go through all of that, on the wrong screens.
 */
function oneEntryForAPress() {
  let pressed = false;
  const press = () => {
    pressed = true;
  };
  for (const kind of ["pointerdown", "keydown", "input", "click"] as const) hearFirst(kind, press);
  addEventListener("popstate", () => {
    pressed = false; // what the page writes into an address that it was led back to belongs to that entry
  });
  const push = history.pushState.bind(history);
  history.pushState = (...entry) => {
    if (pressed) push(...entry);
    else history.replaceState(...entry);
    pressed = false;
  };
}

/** How often the address is read where the browser does not report that the page writes it. */
const LOOK_MS = 250;

/** Whether the page teaches, and what its address hides, as attributes of the document that page.css reads: known before the server answers. */
function markDocument() {
  const { dataset } = document.documentElement;
  const query = new URLSearchParams(location.search);
  dataset.hide = (query.get("hide") ?? "").split(",").join(" ");
  if (query.get("teach") === "1") dataset.teach = "";
  else delete dataset.teach;
}

function followAddress() {
  markDocument();
  if ("navigation" in window) window.navigation.addEventListener("currententrychange", markDocument);
  else setInterval(markDocument, LOOK_MS);
}

const OPENER = "[data-testid='stPopoverButton'][aria-expanded='true']";
/** So long a menu may take to close. */
const CLOSING_MS = 1000;

/** Where the last key was pressed before a menu was open; null after a press. */
let pressedAt: HTMLElement | null = null;
/** The button of a menu that Escape closes, until somebody takes the focus elsewhere. */
let closing: HTMLElement | null = null;

/**
 * Escape closes a menu and gives the focus back: to what had it when a key opened the menu, such as the stage, else to the button of the menu. Where
 * what had the focus was rendered away meanwhile, Streamlit (1.67) can leave it nowhere, and a keyboard has lost its place.
 */
function returnFocus() {
  hearFirst("keydown", (event) => {
    const opener = document.querySelector<HTMLElement>(OPENER);
    const [target] = event.composedPath();
    if (event.key === "Tab") closing = null;
    if (!opener) pressedAt = target instanceof HTMLElement ? target : null;
    else if (event.key === "Escape") whenClosed(opener);
  });
  hearFirst("pointerdown", () => {
    closing = null;
    if (!document.querySelector(OPENER)) pressedAt = null;
  });
  // Streamlit gives the focus to the button within the press of Escape: the next key, however soon, belongs to what had it before.
  hearFirst("focusin", () => giveBack());
}

function whenClosed(opener: HTMLElement) {
  const late = performance.now() + CLOSING_MS;
  const look = () => {
    if (closing !== opener) return;
    if (!opener.isConnected || performance.now() > late) closing = null;
    else if (opener.getAttribute("aria-expanded") === "true" || giveBack()) setTimeout(look, 50); // what had it can be rendered away later, too
  };
  closing = opener;
  setTimeout(look, 50);
}

/** false: the focus is where somebody took it. */
function giveBack() {
  if (!closing) return false;
  const before = pressedAt?.isConnected ? pressedAt : closing;
  const active = document.activeElement;
  const lost = !active || active === document.body || active === closing || active.matches("[data-focus-guard]");
  const nowhere = before === document.body; // where nothing has the focus, the stage hears the keys
  if (lost && nowhere && active instanceof HTMLElement) active.blur();
  else if (lost && before !== active) before.focus({ preventScroll: true });
  else if (!lost && !before.matches(":focus")) return false;
  return true;
}

const SIDEBAR = "Models and settings";
const SIDEBAR_BUTTON = "[data-testid='stExpandSidebarButton']";
const MENU = "[data-testid='stPopoverBody']";
/** What a key opens, and by what. */
const OPENED = [
  ["[data-testid='stPopoverButton'][aria-expanded='false']", MENU],
  [SIDEBAR_BUTTON, "[data-testid='stSidebar'][data-collapsed='false']"],
  ["[data-testid='stSidebarCollapseButton'] button", SIDEBAR_BUTTON],
];
const REACHABLE = "button:enabled, a[href], input:enabled, textarea, select, summary, [tabindex='0']";
/** So long the page may take to do what a key asks, and so long the focus is nowhere before it is lost. */
const [FOLLOWED_MS, LOST_MS] = [5000, 500];
const RESTS = "[data-test-script-state='notRunning']";
/** The key whose press is followed; any other press ends it. */
let following = {};

/** All that the Tab key can come to, in what components draw too. */
function reachable(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("*")].flatMap((node) => {
    const own = node.matches(REACHABLE) && node.tabIndex >= 0 && node.checkVisibility({ visibilityProperty: true });
    return [...(own ? [node] : []), ...(node.shadowRoot ? reachable(node.shadowRoot) : [])];
  });
}

/**
 * The focus goes into the menu or the sidebar that a key opened. Where the page took away what had it, it goes to what came in its place: in the
 * nearest part that is still there, and with the stage to the stage.
 */
function focusFollowsKeys() {
  hearFirst("pointerdown", () => {
    following = {};
  });
  hearFirst("keydown", (event) => {
    following = event;
    const all = event.composedPath().filter((node) => node instanceof HTMLElement);
    const [target] = all;
    if (event.repeat || !["Enter", " "].includes(event.key) || !target?.matches("button, a[href]")) return;
    closing = null;
    const menu = all.findIndex((node) => node.matches(MENU));
    const path = menu < 0 ? all : all.slice(0, menu + 1);
    for (let node = menu < 0 ? null : document.querySelector(OPENER)?.parentElement; node; node = node.parentElement)
      path.push(node);
    const opens = OPENED.find(([by]) => target.matches(by))?.[1];
    if (opens === MENU) pressedAt = target; // another menu may not have closed yet
    follow(event, { target, path, opens, before: new Set(reachable(document)) });
  });
}

type Followed = { target: HTMLElement; path: HTMLElement[]; opens?: string; before: Set<HTMLElement> };

function follow(event: KeyboardEvent, { target, path, opens, before }: Followed) {
  const began = performance.now();
  let since = began;
  let given: HTMLElement | undefined;
  const look = () => {
    const now = performance.now();
    if (following !== event || now > began + FOLLOWED_MS) return;
    setTimeout(look, 50);
    const [active] = path.concat(given ?? []).filter((node) => node.matches(":focus"));
    const nowhere = document.activeElement === document.body;
    const opened = opens ? document.querySelector(opens) : null;
    if (opened && (nowhere || active === target))
      given = focusOn(reachable(opened.parentElement ?? opened).find((node) => opened.contains(node)));
    else if (active || !nowhere || opens || !document.querySelector(RESTS)) since = now;
    else if (now > since + LOST_MS) given = focusOn(nearest(path, before));
  };
  setTimeout(look, 50);
}

function focusOn(node: HTMLElement | undefined) {
  node?.focus({ preventScroll: true });
  return node;
}

function nearest(path: HTMLElement[], before: Set<HTMLElement>) {
  const menu = document.querySelector<HTMLElement>(MENU);
  for (const part of menu ? [menu, ...path] : path) {
    const found = part.isConnected ? reachable(part) : [];
    const [stage] = found.filter((node) => node.matches(".stage, .race") && !node.closest(".learn"));
    if (found.length) return stage ?? found.find((node) => !before.has(node)) ?? found[0];
  }
  return undefined;
}

/** Names that Streamlit lacks: of its sidebar's button, whose visible words its style writes, and of charts; and what is to be heard when it changes. */
function nameParts() {
  new MutationObserver(() => {
    const button = document.querySelector(SIDEBAR_BUTTON);
    if (button && button.ariaLabel !== SIDEBAR) button.ariaLabel = SIDEBAR;
    for (const chart of document.querySelectorAll(".js-plotly-plot")) {
      const words = [...chart.querySelectorAll(".ytitle, .xtitle, .legendtext")].map((part) => part.textContent);
      chart.role = "img";
      chart.ariaLabel = ["Chart", ...words].join(", ");
    }
    for (const part of document.querySelectorAll(".st-key-compare-heard")) part.ariaLive = "polite";
  }).observe(document, { childList: true, subtree: true });
}

oneEntryForAPress();
followAddress();
holdPresses();
returnFocus();
focusFollowsKeys();
nameParts();
