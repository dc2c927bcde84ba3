// Has the server render a part of the page again when what it shows has changed. Parts that follow the same share one connection.

import { LiveEvents } from "./live_events.js";

/**
 * Without an address it is the page's own part, by which all of the page can be asked for.
 * @typedef {{ address: string, rung: number }} Followed
 * @typedef {{ data: Followed | null, parentElement: Document | Element | ShadowRoot, setTriggerValue: (name: string, value: unknown) => void }} FollowComponent
 * @typedef {{ events: LiveEvents, parts: Set<Part> }} Connection
 */

/** A part is asked for so often at most: nobody reads faster. */
const APART_MS = 250;
/** A part that was asked for and does not come in so long is no reason to wait with the others. */
const PATIENCE_MS = 1500;
/** One that does not come so often is none any more: where two reruns of a page overlap, Streamlit can drop parts that are shown. */
const LOST = 2;
/**
 * So long after a click no part is asked for: the click can lead to another page, and a part of the page before that is asked for just then
 * has Streamlit (1.67) clear the new one.
 */
const AFTER_CLICK_MS = 1000;
/** A page that has been empty so long is asked for again; the next time after twice as long. */
const EMPTY_MS = 2000;

/** @type {Map<string, Connection>} */
const connections = new Map();
/** @type {WeakMap<Element, Part>} */
const places = new WeakMap();

/**
 * The parts of the page that are older than what is known, asked for one after the other: of two that are asked for in one breath,
 * Streamlit (1.67) renders one.
 */
class Line {
  constructor() {
    /** @type {Set<Part>} */
    this.due = new Set();
    /** @type {Part | null} */
    this.asked = null;
    this.patience = 0;
  }

  /** @param {Part} part */
  wait(part) {
    this.due.add(part);
    this.next();
  }

  /** @param {Part} part */
  came(part) {
    if (this.asked !== part) return;
    clearTimeout(this.patience);
    this.asked = null;
    this.next();
  }

  /** @param {Part} part */
  lost(part) {
    part.missed += 1;
    this.asked = null;
    if (part.missed < LOST) {
      part.look();
    } else if (part.stale) {
      part.missed = 0;
      page.ask();
    }
    this.next();
  }

  next() {
    if (this.asked) return;
    for (const part of this.due) {
      this.due.delete(part);
      if (!part.ask()) continue;
      this.asked = part;
      this.patience = window.setTimeout(() => this.lost(part), PATIENCE_MS);
      return;
    }
  }
}

/** The page itself, of which all parts can be asked for at once: where one of them is lost, and where the page has been cleared. */
class Page {
  constructor() {
    /** @type {FollowComponent | null} */
    this.component = null;
    /** @type {Element | null} */
    this.block = null;
    this.patience = EMPTY_MS;
    this.later = 0;
    this.watch = new MutationObserver(() => this.look());
  }

  /** @param {FollowComponent} component */
  show(component) {
    this.component = component;
    const root = component.parentElement;
    const host = root instanceof ShadowRoot ? root.host : root;
    const block = host instanceof Element ? host.closest("[class*='st-key-follow-']")?.parentElement : null;
    if (!block || block === this.block) return;
    this.watch.disconnect();
    this.watch.observe(block, { childList: true });
    this.block = block;
    this.look();
  }

  /** Whether there is nothing on the page but this. */
  look() {
    clearTimeout(this.later);
    if (!this.block?.isConnected) return;
    if (this.block.childElementCount > 1) {
      this.patience = EMPTY_MS;
      return;
    }
    this.later = window.setTimeout(() => {
      this.ask();
      this.patience *= 2;
      this.look();
    }, this.patience);
  }

  ask() {
    this.component?.setTriggerValue("news", performance.now());
  }
}

const line = new Line();
const page = new Page();
let clicked = Number.NEGATIVE_INFINITY;
addEventListener(
  "click",
  () => {
    clicked = performance.now();
  },
  { capture: true },
);

class Part {
  constructor() {
    this.address = "";
    this.at = Number.NEGATIVE_INFINITY;
    this.missed = 0;
    /** @type {number | null} */
    this.later = null;
    /** @type {(FollowComponent & { data: Followed }) | null} */
    this.component = null;
  }

  /** @param {FollowComponent & { data: Followed }} component */
  show(component) {
    this.component = component;
    this.missed = 0;
    const { address } = component.data;
    if (address !== this.address) {
      this.leave();
      this.address = address;
      const known = connections.get(address) ?? { events: opened(address), parts: new Set() };
      connections.set(address, known);
      known.parts.add(this);
    }
    line.came(this);
    this.look();
  }

  leave() {
    const known = connections.get(this.address);
    known?.parts.delete(this);
    if (known && !known.parts.size) {
      known.events.end();
      connections.delete(this.address);
    }
    line.due.delete(this);
    if (this.later !== null) clearTimeout(this.later);
    this.later = null;
    this.address = "";
  }

  get stale() {
    const rung = connections.get(this.address)?.events.known.slots.rung ?? 0;
    return this.component !== null && rung > this.component.data.rung;
  }

  /** Ask for the part soon where it is older than what is known. */
  look() {
    if (!this.stale || this.later !== null) return;
    this.later = window.setTimeout(
      () => {
        this.later = null;
        line.wait(this);
      },
      Math.max(0, Math.max(this.at + APART_MS, clicked + AFTER_CLICK_MS) - performance.now()),
    );
  }

  /** Ask for it now; whether that was needed and could be. */
  ask() {
    if (!this.stale) return false;
    if (performance.now() < clicked + AFTER_CLICK_MS) {
      this.look();
      return false;
    }
    this.at = performance.now();
    this.component?.setTriggerValue("news", this.at);
    return true;
  }
}

/** @param {string} address */
function opened(address) {
  return new LiveEvents(address, {
    tell: () => {
      for (const part of connections.get(address)?.parts ?? []) part.look();
    },
  });
}

/** @param {FollowComponent} component */
function mountFollow(component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector("span");
  if (!root || !data) return;
  if (!data.address) {
    page.show(component);
    return;
  }
  const part = places.get(root) ?? new Part();
  places.set(root, part);
  part.show({ ...component, data });
  return () => {
    setTimeout(() => {
      if (!root.isConnected) part.leave();
    });
  };
}

export default mountFollow;
