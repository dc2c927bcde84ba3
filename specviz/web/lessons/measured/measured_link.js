// How the Learn screen learns what is measured: a small component beside it is polled, and reports it by events of the document.

/** @import { MeasuredState } from "../types" */

import { listenWhileShown } from "../../shared/dom.js";

const REPORTED = "specviz-measured";
const ASKED = "specviz-measured-asked";

/** @typedef {MeasuredState & { at: number }} MeasuredNow the state, and when it came, in milliseconds of this page's clock. */

/** Report to whoever listens, now and when somebody asks. @param {() => MeasuredNow | null} latest */
export function answerWith(latest) {
  const report = () => {
    const state = latest();
    if (state) document.dispatchEvent(new CustomEvent(REPORTED, { detail: state }));
  };
  document.addEventListener(ASKED, report);
  return report;
}

/**
 * Hear of every change, as long as a node is on the page, and of what is known already.
 * @param {HTMLElement} node
 * @param {(state: MeasuredNow) => void} listener
 */
export function hearMeasured(node, listener) {
  listenWhileShown(node, document, REPORTED, ({ detail }) => listener(detail));
  document.dispatchEvent(new CustomEvent(ASKED));
}
