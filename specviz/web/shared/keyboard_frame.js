// The frame round the stage: it says where the keyboard is when somebody comes to it with Tab, and goes with the first key or click,
// so that it does not stay for a whole talk. Buttons and figures inside keep their own frames.

/** @param {HTMLElement} root */
export function frameWhenReached(root) {
  let tabbed = false;
  /** @param {Event} event */
  const remember = (event) => {
    if (!root.isConnected) for (const kind of KINDS) document.removeEventListener(kind, remember, true);
    tabbed = event instanceof KeyboardEvent && event.key === "Tab";
    if (!tabbed) root.classList.remove("reached");
  };
  for (const kind of KINDS) document.addEventListener(kind, remember, true);
  root.addEventListener("focus", () => root.classList.toggle("reached", tabbed));
  root.addEventListener("blur", () => root.classList.remove("reached"));
}

const KINDS = ["keydown", "pointerdown"];
