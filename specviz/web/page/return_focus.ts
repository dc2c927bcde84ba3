// Escape closes a menu and gives the focus back: to what had it when a key opened the menu, such as the stage, else to the button of the menu. Where
// what had the focus was rendered away meanwhile, Streamlit (1.67) can leave it nowhere, and a keyboard has lost its place.

const OPENER = "[data-testid='stPopoverButton'][aria-expanded='true']";
/** So long a menu may take to close. */
const CLOSING_MS = 1000;

/** Where the last key was pressed before a menu was open; null after a press. */
let pressedAt: HTMLElement | null = null;

export function returnFocus(): void {
  addEventListener(
    "keydown",
    (event) => {
      const opener = document.querySelector<HTMLElement>(OPENER);
      const [target] = event.composedPath();
      if (!opener) pressedAt = target instanceof HTMLElement ? target : null;
      else if (event.key === "Escape") whenClosed(opener, performance.now() + CLOSING_MS);
    },
    { capture: true },
  );
  addEventListener(
    "pointerdown",
    () => {
      if (!document.querySelector(OPENER)) pressedAt = null;
    },
    { capture: true },
  );
}

function whenClosed(opener: HTMLElement, late: number): void {
  setTimeout(() => {
    if (!opener.isConnected || performance.now() > late) return;
    if (opener.getAttribute("aria-expanded") === "true") return whenClosed(opener, late);
    const before = pressedAt?.isConnected ? pressedAt : opener;
    const active = document.activeElement;
    const lost = !active || active === document.body || active === opener || active.matches("[data-focus-guard]");
    const nowhere = before === document.body; // where nothing has the focus, the stage hears the keys
    if (lost && nowhere && active instanceof HTMLElement) active.blur();
    else if (lost) before.focus({ preventScroll: true });
    else if (!before.matches(":focus")) return;
    whenClosed(opener, late); // what had it can be rendered away later, too
  }, 50);
}
