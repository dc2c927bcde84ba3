// Every token on the stage, whatever draws it, has its slot in its data, and its round where that is another one than the one on the stage.

import type { Slot } from "../shared/run_types.ts";

/** `askWhy` gets the round, null for the one on the stage, and the slot of a token that was chosen; `point` the slot that is pointed at. */
type TokenActions = { askWhy: (index: number | null, slot: Slot) => void; point: (slot: Slot | null) => void };

function tokenAt(target: EventTarget | null) {
  const node = target instanceof Element ? target.closest<HTMLElement>("[data-slot]") : null;
  if (!node) return null;
  const { slot, round } = node.dataset;
  const at: Slot = slot === "closing" ? slot : Number(slot);
  return { node, slot: at, round: round === undefined ? null : Number(round) };
}

export function listenToTokens(root: HTMLElement, stage: TokenActions) {
  const choose = ({ target }: Event) => {
    const token = tokenAt(target);
    if (token && token.node.ariaDisabled !== "true") stage.askWhy(token.round, token.slot);
  };
  root.addEventListener("click", choose);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof Element) || !event.target.matches("[role=button]")) return;
    event.stopPropagation();
    choose(event);
  });
  for (const kind of ["pointerover", "focusin"] as const)
    root.addEventListener(kind, ({ target }) => {
      const token = tokenAt(target);
      if (token?.round === null) stage.point(token.slot);
    });
  for (const kind of ["pointerout", "focusout"] as const)
    root.addEventListener(kind, ({ target, relatedTarget }) => {
      const token = tokenAt(target);
      if (token?.round === null && tokenAt(relatedTarget)?.node !== token.node) stage.point(null);
    });
}
