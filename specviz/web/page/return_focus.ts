// Escape closes a menu and gives the focus back: to what had it when a key opened the menu, such as the stage, else to the button of the menu. Where
// what had the focus was rendered away meanwhile, Streamlit (1.67) can leave it nowhere, and a keyboard has lost its place.

const OPENER = "[data-testid='stPopoverButton'][aria-expanded='true']";
/** So long a menu may take to close. */
const CLOSING_MS = 1000;

/** Where the last key was pressed before a menu was open; null after a press. */
let pressedAt: HTMLElement | null = null;
/** The button of a menu that Escape closes, until somebody takes the focus elsewhere. */
let closing: HTMLElement | null = null;

export function returnFocus(): void {
  addEventListener(
    "keydown",
    (event) => {
      const opener = document.querySelector<HTMLElement>(OPENER);
      const [target] = event.composedPath();
      if (event.key === "Tab") closing = null;
      if (!opener) pressedAt = target instanceof HTMLElement ? target : null;
      else if (event.key === "Escape") whenClosed(opener);
    },
    { capture: true },
  );
  addEventListener(
    "pointerdown",
    () => {
      closing = null;
      if (!document.querySelector(OPENER)) pressedAt = null;
    },
    { capture: true },
  );
  // Streamlit gives the focus to the button within the press of Escape: the next key, however soon, belongs to what had it before.
  addEventListener("focusin", () => giveBack(), { capture: true });
}

function whenClosed(opener: HTMLElement): void {
  const late = performance.now() + CLOSING_MS;
  const look = () => {
    if (closing !== opener) return;
    if (!opener.isConnected || performance.now() > late) closing = null;
    else if (opener.getAttribute("aria-expanded") === "true" || giveBack()) setTimeout(look, 50); // what had it can be rendered away later, too
  };
  closing = opener;
  setTimeout(look, 50);
}

/** false: the focus is where somebody took it. */
function giveBack(): boolean {
  if (!closing) return false;
  const before = pressedAt?.isConnected ? pressedAt : closing;
  const active = document.activeElement;
  const lost = !active || active === document.body || active === closing || active.matches("[data-focus-guard]");
  const nowhere = before === document.body; // where nothing has the focus, the stage hears the keys
  if (lost && nowhere && active instanceof HTMLElement) active.blur();
  else if (lost && before !== active) before.focus({ preventScroll: true });
  else if (!lost && !before.matches(":focus")) return false;
  return true;
}
