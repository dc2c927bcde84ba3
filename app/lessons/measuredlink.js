// How the Learn screen learns what is measured: a small component beside it is polled, and tells it by events of the document.

/** @import { MeasuredState } from "./types" */

const TOLD = "specviz-measured";
const ASKED = "specviz-measured-asked";

/** @typedef {MeasuredState & { told: number }} Told the state, and when it came, in milliseconds of this page's clock. */

/**
 * Tell whoever listens, now and when somebody asks.
 * @param {() => Told | null} latest
 */
export function answerWith(latest) {
  const tell = () => {
    const state = latest();
    if (state) document.dispatchEvent(new CustomEvent(TOLD, { detail: state }));
  };
  document.addEventListener(ASKED, tell);
  return tell;
}

/**
 * Hear of every change, as long as a node is on the page, and of what is known already.
 * @param {HTMLElement} node
 * @param {(state: Told) => void} listener
 */
export function hearMeasured(node, listener) {
  /** @type {(event: Event) => void} */
  const hear = (event) => {
    if (!node.isConnected) document.removeEventListener(TOLD, hear);
    else if (event instanceof CustomEvent) listener(event.detail);
  };
  document.addEventListener(TOLD, hear);
  document.dispatchEvent(new CustomEvent(ASKED));
}
