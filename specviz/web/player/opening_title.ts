// The paused title over the stage: what the recording shows, in one sentence and one picture, with one button.

import { el, iconButton, isNew, reveal, setText } from "../shared/dom.ts";
import type { Run } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { titleOf } from "./opening_text.ts";

/** More passes than this are not drawn one by one. */
const MAX_DRAWN = 120;

export class OpeningTitle {
  play: HTMLButtonElement;
  node: HTMLDivElement;
  prompt = el("p", "title-prompt", "");
  says = el("p", "title-says");
  origin = el("p", "title-origin", "");

  constructor(play: () => void) {
    this.play = iconButton("play", word("Play (space)"), play);
    this.play.className = "button title-play";
    this.play.append(el("span", "", word("Play")));
    this.node = el("div", { class: "title", hidden: true }, this.prompt, this.says, this.play, this.origin);
  }

  /** Show or hide it. What it covers cannot be reached meanwhile. */
  cover(on: boolean) {
    if (this.node.hidden !== on) return;
    reveal(this.node, on);
    for (const part of this.node.parentElement?.children ?? []) {
      if (part instanceof HTMLElement && part !== this.node) part.inert = on;
    }
  }

  /** @param origin where the recording comes from. */
  draw(run: Run, origin: string) {
    setText(this.origin, origin);
    if (!isNew(this, run.id)) return;
    setText(this.prompt, run.prompt.trim().replace(/\s+/g, " "));
    const lines = titleOf(run);
    const most = Math.max(...lines.map(({ passes }) => passes));
    this.says.replaceChildren(
      ...lines.flatMap(({ words, passes }, index) => {
        const line = el("span", "title-line", `${words} `);
        const kind = `title-passes${index ? " helped" : ""}`;
        const blocks = el("span", { class: kind, "aria-hidden": "true", "--most": most });
        if (most <= MAX_DRAWN) blocks.append(...Array.from({ length: passes }, () => el("i")));
        return [line, blocks];
      }),
    );
  }
}
