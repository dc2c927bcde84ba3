// Escape closes a menu and gives the focus to the button that opened it. Where what had the focus was rendered away meanwhile, Streamlit (1.67)
// can leave it nowhere, and a keyboard has lost its place.

const OPENER = "[data-testid='stPopoverButton'][aria-expanded='true']";
/** So long a menu may take to close. */
const CLOSING_MS = 1000;

export function returnFocus(): void {
  addEventListener(
    "keydown",
    (event) => {
      const opener = event.key === "Escape" ? document.querySelector<HTMLElement>(OPENER) : null;
      if (opener) whenClosed(opener, performance.now() + CLOSING_MS);
    },
    { capture: true },
  );
}

function whenClosed(opener: HTMLElement, late: number): void {
  setTimeout(() => {
    if (!opener.isConnected || performance.now() > late) return;
    if (opener.getAttribute("aria-expanded") === "true") return whenClosed(opener, late);
    const active = document.activeElement;
    if (!active || active === document.body || active.matches("[data-focus-guard]")) opener.focus();
    else if (active !== opener) return;
    whenClosed(opener, late); // what had it can be rendered away later, too
  }, 50);
}
