// A press that begins on a control belongs to it until it ends. Where the page moves the control, or puts another node in its place, while it
// is pressed, a browser sends the click to what both ends of the press have in common, and the control hears nothing.

const PRESSABLE = "button, a[href], summary, label, [role='button'], [role='tab'], [role='switch']";
/** Their press opens a list and ends on one of its entries. */
const OPENS_A_LIST = "[role='combobox'], [aria-haspopup='listbox'], [role='option']";
/** Further than this, it is a drag: to drag off a control cancels its press. */
const DRAG_PX = 8;
/** A finger's click comes so late at most. */
const TOUCH_MS = 400;
/** So long a control may be gone that is rendered again. */
const REPLACED_MS = 1500;

/** state: `down` while it lasts, `due` where its click is to be made up for, `up` while a finger's is awaited. */
type Press = {
  control: HTMLElement;
  pointer: number;
  touch: boolean;
  x: number;
  y: number;
  widget: string;
  words: string;
  state: "down" | "due" | "up";
};

let press: Press | null = null;

function controlOf(event: Event) {
  for (const node of event.composedPath()) {
    if (!(node instanceof HTMLElement)) continue;
    if (node.matches(OPENS_A_LIST)) return null;
    if (node.matches(PRESSABLE)) return node;
  }
  return null;
}

const disabled = (control: HTMLElement) => control.matches(":disabled, [aria-disabled='true']");
const wordsOf = (control: Element) => control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";

/** The class that Streamlit gives the nearest element with a key of ours. */
function widgetOf(control: Element) {
  const keyed = control.closest("[class*='st-key-']");
  return [...(keyed?.classList ?? [])].find((name) => name.startsWith("st-key-")) ?? "";
}

/** The control itself, or what was rendered in its place. */
function present({ control, widget, words }: Press) {
  if (control.isConnected) return control;
  const root = widget ? document.querySelector(`.${CSS.escape(widget)}`) : document;
  const same = [...(root?.querySelectorAll<HTMLElement>(control.localName) ?? [])];
  const named = same.filter((candidate) => wordsOf(candidate) === words);
  if (named.length === 1) return named[0];
  return widget && same.length === 1 ? same[0] : null;
}

function makeUp(ended: Press) {
  ended.state = "due";
  const until = performance.now() + REPLACED_MS;
  const look = () => {
    if (press !== ended) return;
    const control = present(ended);
    if (control) {
      press = null;
      if (!disabled(control)) control.click();
    } else if (performance.now() < until) {
      requestAnimationFrame(look);
    } else {
      press = null;
    }
  };
  setTimeout(look); // after the click that comes elsewhere, which is kept from whom it does not belong to
}

function down(event: PointerEvent) {
  press = null;
  if (!event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const control = controlOf(event);
  if (!control || disabled(control)) return;
  const touch = event.pointerType === "touch";
  const { pointerId: pointer, clientX: x, clientY: y } = event;
  press = { control, pointer, touch, x, y, widget: widgetOf(control), words: wordsOf(control), state: "down" };
  if (touch) return; // a browser captures a finger by itself
  try {
    control.setPointerCapture(pointer);
  } catch {
    // a pointer that a program made up cannot be captured
  }
}

function moved({ pointerId, clientX, clientY }: PointerEvent) {
  if (press?.state !== "down" || press.pointer !== pointerId) return;
  if (Math.hypot(clientX - press.x, clientY - press.y) <= DRAG_PX) return;
  const { control } = press;
  press = null;
  if (control.hasPointerCapture(pointerId)) control.releasePointerCapture(pointerId);
}

function up(event: PointerEvent) {
  const ended = press;
  if (ended?.state !== "down" || ended.pointer !== event.pointerId) return;
  const own = ended.control.isConnected && event.composedPath().includes(ended.control);
  if (!own) {
    makeUp(ended);
  } else if (ended.touch) {
    ended.state = "up";
    setTimeout(() => {
      if (press === ended && ended.state === "up" && !ended.control.isConnected) makeUp(ended);
    }, TOUCH_MS);
  } else {
    press = null;
  }
}

function clicked(event: MouseEvent) {
  if (!press || press.state === "down" || !event.isTrusted || event.detail === 0) return; // a key's click has no count
  if (event.composedPath().includes(press.control)) {
    press = null;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (press.state === "up") makeUp(press);
}

export function holdPresses() {
  addEventListener("pointerdown", down, { capture: true });
  addEventListener("pointermove", moved, { capture: true });
  addEventListener("pointerup", up, { capture: true });
  addEventListener("click", clicked, { capture: true });
  addEventListener("pointercancel", () => {
    press = null;
  });
}
