// The target's own token on its way from the desk into the text that it joins: where it is follows from the clock.

import { el, setText } from "../shared/dom.ts";
import { wantsStillness } from "../shared/frames.ts";
import { tokenLabel } from "../shared/labels.ts";
import { JOINED, type Position } from "../shared/phases.ts";
import type { Plan, Run } from "../shared/run_types.ts";
import { lengthOf } from "./schedule.ts";

/** The part of the commit phase that the way takes. */
const WAY = 0.25;

/** A way that takes less than this cannot be followed, and is not shown. */
const SHORTEST_S = 0.2;

export class TokenFlight {
  node = el("span", { class: "flight", "aria-hidden": "true", hidden: true });
  /** The round that the way was measured for. */
  key = "";
  way: { x: number; y: number; dx: number; dy: number; scale: number } = { x: 0, y: 0, dx: 0, dy: 0, scale: 1 };
  target: HTMLElement | null = null;

  /** @param ends the stage, and the two ends of the way. */
  draw(
    run: Run,
    plan: Plan,
    position: Position,
    { root, from, to }: { root: HTMLElement; from: HTMLElement | undefined; to: HTMLElement | undefined },
  ) {
    const done = (position.fraction - JOINED) / WAY;
    const closing = run.rounds[position.index]?.closing;
    const long =
      position.joined && lengthOf(plan, position.index) * plan.shares[position.index].commit * WAY > SHORTEST_S;
    if (!closing || !from || !to || !long || done >= 1 || wantsStillness()) {
      this.land();
      return;
    }
    const key = `${run.id} ${position.index} ${root.clientWidth}`;
    if (this.key !== key) {
      this.land();
      this.key = key;
      this.way = wayBetween(root, from, to);
      this.target = to;
      to.classList.add("arriving");
      setText(this.node, tokenLabel(run.bytes, closing.token).text);
      this.node.className = `flight ${closing.how}`;
      this.node.hidden = false;
    }
    const { x, y, dx, dy, scale } = this.way;
    const eased = done * done * (3 - 2 * done);
    this.node.style.transform = `translate(${x + dx * eased}px, ${y + dy * eased}px) scale(${1 + (scale - 1) * eased})`;
  }

  land() {
    this.target?.classList.remove("arriving");
    this.target = null;
    this.key = "";
    this.node.hidden = true;
  }
}

/** From one element to the first line of another, from the corner of the stage; `scale` is how much smaller the letters become. */
function wayBetween(root: HTMLElement, from: HTMLElement, to: HTMLElement) {
  const corner = root.getBoundingClientRect();
  const start = from.getBoundingClientRect();
  const end = to.getClientRects()[0] ?? to.getBoundingClientRect();
  return {
    x: start.left - corner.left,
    y: start.top - corner.top,
    dx: end.left - start.left,
    dy: end.top - start.top,
    scale: start.height > 0 ? end.height / start.height : 1,
  };
}
