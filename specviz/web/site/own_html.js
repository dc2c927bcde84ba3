// Markup that `specviz site` wrote: the tables of the zoo and the teacher's page. Nothing of a model or of a recording is in it.

import { el } from "../shared/dom.js";

/** @param {string} html */
export function ownHtml(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const node = el("div", "own");
  node.append(template.content);
  return node;
}
