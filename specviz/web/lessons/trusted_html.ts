// HTML of a lesson as nodes of the page. It was made from Markdown without raw HTML; here only what Markdown can be is let through,
// so that a mistake there makes no script here.

import { explain } from "../shared/notes.ts";

const TAGS = new Set("A B BLOCKQUOTE BR CODE EM H1 H2 H3 H4 H5 H6 HR I LI OL P PRE SPAN STRONG UL".split(" "));
const CLASSES = new Set(["lesson-figure", "lesson-token"]);
const LINK = /^(https?:\/\/|(?![a-z][a-z0-9+.-]*:)(?!\/\/))/i;

/** The nodes of a piece of HTML. */
export function nodesOf(html: string) {
  const template = document.createElement("template"); // what is parsed in it neither runs nor loads anything
  template.innerHTML = html;
  const nodes = document.createDocumentFragment();
  copy(template.content, nodes);
  return nodes;
}

/** The text of a piece of HTML. */
export function textOf(html: string) {
  return nodesOf(html).textContent ?? "";
}

function copy(from: Node, to: Node) {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.appendChild(document.createTextNode(node.data));
    else if (node instanceof HTMLElement && TAGS.has(node.tagName)) {
      const kept = document.createElement(node.tagName);
      wear(node, kept);
      copy(node, kept);
      to.appendChild(kept);
    }
  }
}

function wear(from: HTMLElement, to: HTMLElement) {
  if (CLASSES.has(from.className)) to.className = from.className;
  const how = from.dataset.how ?? from.title; // of a figure, and of a link that has words
  if (how) explain(to, how);
  const link = from.getAttribute("href");
  if (from.tagName === "A" && link && LINK.test(link)) {
    to.setAttribute("href", link);
    to.setAttribute("target", "_blank");
    to.setAttribute("rel", "noopener noreferrer");
  }
}
