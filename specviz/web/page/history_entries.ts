// One press, one entry of the browser's history. Streamlit (1.67) makes an entry for every message that changes the address: a press that leads to another
// screen clears the parameters, names the screen and writes its choices, and Back would go through all of that, on the wrong screens.

export function oneEntryForAPress(): void {
  let pressed = false;
  for (const kind of ["pointerdown", "keydown", "input", "click"]) {
    addEventListener(
      kind,
      () => {
        pressed = true;
      },
      { capture: true },
    );
  }
  addEventListener("popstate", () => {
    pressed = false; // what the page writes into an address that it was led back to belongs to that entry
  });
  const push = history.pushState.bind(history);
  history.pushState = (...entry) => {
    if (pressed) push(...entry);
    else history.replaceState(...entry);
    pressed = false;
  };
}
