// The plan of a lesson as a component of the page: a timer, and under it what happens when. A part that is pressed opens.

import { button, el, place, setText } from "../shared/dom.ts";
import type { ComponentOf } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { clockText, keepTimer, keptTimer, lateness, pressed, secondsOf, type Timer } from "./lesson_timer.ts";

/** in minutes. */
type PlanPart = { begins: number; ends: number; title: string; what: string };
/** `here`: the index of the part that is open; -1 for none. */
type PlanData = { parts: PlanPart[]; here: number };

const EDGE = 8;
const now = () => Date.now() / 1000;
let count = 0;

/** Build the plan into its place. Returns how it is given other data, and what its parts open. */
function planIn(root: Element) {
  let shown: PlanData = { parts: [], here: -1 };
  let timer = keptTimer(now());
  const keep = (other: Timer) => {
    timer = other;
    keepTimer(timer);
    tick();
  };
  const time = button("plan-time", "", () => keep(pressed(timer, now())));
  const late = el("span", "plan-late");
  const list = el("ol", "plan-parts");
  const zero = button("plan-zero", word("Timer to 0:00"), () => keep({ counted: 0, since: null }));
  const sheet = el("div", { class: "plan-sheet", popover: "auto", id: `plan-${++count}` });
  const open = button({ class: "plan-open", popovertarget: sheet.id }, word("Plan"), () => {});

  const tick = () => {
    const seconds = secondsOf(timer, now());
    const runs = timer.since !== null;
    setText(time, clockText(seconds));
    time.classList.toggle("runs", runs);
    place(time, { "aria-label": runs ? word("Halt the timer of the lesson") : word("Start the timer of the lesson") });
    setText(late, lateness(shown.parts[shown.here], seconds));
    const due = seconds ? shown.parts.findIndex(({ ends }) => seconds < 60 * ends) : -1;
    for (const [index, item] of [...list.children].entries()) item.classList.toggle("due", index === due);
  };
  const ticking = setInterval(() => {
    if (root.isConnected) tick();
    else clearInterval(ticking);
  }, 500);

  // under the button, inside the window
  sheet.addEventListener("toggle", () => {
    const at = open.getBoundingClientRect();
    const { width } = sheet.getBoundingClientRect();
    const left = Math.min(at.left, document.documentElement.clientWidth - width - EDGE);
    sheet.style.left = `${Math.max(EDGE, left)}px`;
    sheet.style.top = `${at.bottom + EDGE}px`;
  });
  sheet.append(el("h2", "plan-head", word("45 minutes")), list, zero);
  root.replaceChildren(time, late, open, sheet);

  return (data: PlanData, go: (index: number) => void) => {
    shown = data;
    const items = data.parts.map(({ begins, ends, title, what }, index) => {
      const state = { class: "plan-part", "aria-current": index === data.here ? "step" : "" };
      const node = button(state, "", () => {
        sheet.hidePopover();
        go(index);
      });
      const minutes = el("span", "plan-minutes", `${begins}–${ends}`);
      node.append(minutes, el("strong", "", word(title)), el("span", "", word(what)));
      return el("li", "", node);
    });
    list.replaceChildren(...items);
    tick();
  };
}

const plans = new WeakMap<Element, ReturnType<typeof planIn>>();

function mountPlan({ data, parentElement, setTriggerValue }: ComponentOf<PlanData>) {
  const root = parentElement.querySelector(".plan");
  if (!root || !data) return;
  const show = plans.get(root) ?? planIn(root);
  plans.set(root, show);
  show(data, (index) => setTriggerValue?.("go", index));
}

export default mountPlan;
export { useWords } from "../shared/words.ts";
