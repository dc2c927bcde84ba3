// Small parts that several pages of the site have.

import { el } from "../shared/dom.js";

/**
 * The title of a page, which gets the focus when the page is opened.
 * @param {string} text
 */
export function titleOf(text) {
  const node = el("h1", "", text);
  node.tabIndex = -1;
  return node;
}

/** @param {string} sentence */
export function problemOf(sentence) {
  const node = el("p", "problem", sentence);
  node.setAttribute("role", "alert");
  return node;
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
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {string} value
 * @param {(value: string) => void} act
 */
export function picker(label, options, value, act) {
  const node = el("select", "choice");
  node.setAttribute("aria-label", label);
  for (const [name, text] of options) node.add(new Option(text, name));
  node.value = value;
  node.addEventListener("change", () => act(node.value));
  return node;
}

/**
 * @param {string} kind
 * @param {Node[]} items
 */
export function listOf(kind, items) {
  const list = el("ul", kind);
  for (const item of items) list.appendChild(el("li")).append(item);
  return list;
}

/**
 * Markup that `specviz site` wrote: the tables of the zoo and the teacher's page. Nothing of a model or of a recording is in it.
 * @param {string} html
 */
export function ownHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const node = el("div", "own");
  node.append(template.content);
  return node;
}
