// What a lesson highlights on the stage: the parts by the names in `LIT` of `specviz.lessons.moments`, all others dimmed.

import type { Highlight } from "./lesson_types.ts";

/** Where the parts are; {slot} stands for the number of a token. */
export const HIGHLIGHTED_PARTS: Record<string, string> = {
  prompt: ".manuscript .prompt",
  text: ".upper > .manuscript",
  typist: ".role.draft",
  editor: ".role.target",
  "draft row": ".role.draft, .column > .slot, .tree",
  "target row": ".role.target, .column > .choice, .column > .closing",
  slot: ".column:nth-child({slot}) > *",
  closing: ".column > .closing",
  token: '.whole-text [data-token="{slot}"]',
  why: ".column:nth-child({slot}) > *, .why",
  "why closing": ".column > .closing, .why",
  figures: ".dial",
  speedup: ".figure.speedup",
  rate: ".figure.rate",
  "tokens per pass": ".figure.perPass",
  accepted: ".figure.accepted",
  caption: ".caption",
  legend: ".legend",
  lanes: ".lanes",
  controls: ".transport",
};

/** What is dimmed where it is not lit: pieces that hold no other piece. */
const PIECES =
  ".figure, .upper > .manuscript, .role, .column > *, .tree, .caption, .legend, .lanes, .transport, .chips, .round-name, .why";

/** Highlight some parts and dim the others, which nobody can reach meanwhile; nothing is dimmed where nothing is lit. */
export function highlight(stage: HTMLElement, lit: Highlight[]) {
  const chosen = lit.flatMap(({ part, slot }) => {
    const selector = (HIGHLIGHTED_PARTS[part] ?? "").replaceAll("{slot}", String(slot));
    return selector ? [...stage.querySelectorAll(selector)] : [];
  });
  for (const node of stage.querySelectorAll("[data-lit]")) node.removeAttribute("data-lit");
  for (const node of chosen) node.setAttribute("data-lit", "");
  for (const piece of stage.querySelectorAll(PIECES)) {
    const touched = chosen.some((node) => node === piece || node.contains(piece) || piece.contains(node));
    const dim = lit.length > 0 && !touched;
    piece.toggleAttribute("data-dim", dim);
    piece.toggleAttribute("inert", dim);
  }
}
