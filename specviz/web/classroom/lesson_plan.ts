// The plan of a lesson as a component of the page: a timer, and under it what happens when. A part that is pressed opens.

import { button, el, place, setText } from "../shared/dom.ts";
import type { ComponentOf } from "../shared/run_types.ts";
import { word } from "../shared/words.ts";
import { clockText, keepTimer, keptTimer, lateness, pressed, secondsOf, type Timer } from "./lesson_timer.ts";

/** in minutes. */
type PlanPart = { begins: number; ends: number; title: string; what: string };
type PlanComponent = ComponentOf<{ parts: PlanPart[]; here: number }>;

const EDGE = 8;
const now = () => Date.now() / 1000;
let count = 0;

class LessonPlan {
  parts: PlanPart[] = [];
  here = -1;
  go: (index: number) => void = () => {};
  timer: Timer = keptTimer(now());
  time = button("plan-time", "", () => this.press());
  late = el("span", "plan-late");
  list = el("ol", "plan-parts");
  sheet = el("div", { class: "plan-sheet", popover: "auto", id: `plan-${++count}` });
  open = button({ class: "plan-open", popovertarget: this.sheet.id }, word("Plan"), () => {});

  constructor(root: Element) {
    const zero = button("plan-zero", word("Timer to 0:00"), () => this.keep({ counted: 0, since: null }));
    this.sheet.append(el("h2", "plan-head", word("45 minutes")), this.list, zero);
    this.sheet.addEventListener("toggle", () => this.place());
    root.replaceChildren(this.time, this.late, this.open, this.sheet);
    const ticking = setInterval(() => {
      if (root.isConnected) this.tick();
      else clearInterval(ticking);
    }, 500);
  }

  press() {
    this.keep(pressed(this.timer, now()));
  }

  keep(timer: Timer) {
    this.timer = timer;
    keepTimer(timer);
    this.tick();
  }

  /** Under the button, inside the window. */
  place() {
    const at = this.open.getBoundingClientRect();
    const { width } = this.sheet.getBoundingClientRect();
    const left = Math.min(at.left, document.documentElement.clientWidth - width - EDGE);
    this.sheet.style.left = `${Math.max(EDGE, left)}px`;
    this.sheet.style.top = `${at.bottom + EDGE}px`;
  }

  /** @param here the index of the part that is open; -1 for none. */
  show(parts: PlanPart[], here: number) {
    this.parts = parts;
    this.here = here;
    this.list.replaceChildren(...parts.map((part, index) => this.item(part, index)));
    this.tick();
  }

  item({ begins, ends, title, what }: PlanPart, index: number) {
    const state = { class: "plan-part", "aria-current": index === this.here ? "step" : "" };
    const node = button(state, "", () => {
      this.sheet.hidePopover();
      this.go(index);
    });
    const minutes = el("span", "plan-minutes", `${begins}–${ends}`);
    node.append(minutes, el("strong", "", word(title)), el("span", "", word(what)));
    return el("li", "", node);
  }

  tick() {
    const seconds = secondsOf(this.timer, now());
    const runs = this.timer.since !== null;
    setText(this.time, clockText(seconds));
    this.time.classList.toggle("runs", runs);
    place(this.time, {
      "aria-label": runs ? word("Halt the timer of the lesson") : word("Start the timer of the lesson"),
    });
    setText(this.late, lateness(this.parts[this.here], seconds));
    const due = seconds ? this.parts.findIndex(({ ends }) => seconds < 60 * ends) : -1;
    for (const [index, item] of [...this.list.children].entries()) item.classList.toggle("due", index === due);
  }
}

const plans = new WeakMap<Element, LessonPlan>();

function mountPlan({ data, parentElement, setTriggerValue }: PlanComponent) {
  const root = parentElement.querySelector(".plan");
  if (!root || !data) return;
  const plan = plans.get(root) ?? new LessonPlan(root);
  plans.set(root, plan);
  plan.go = (index) => setTriggerValue?.("go", index);
  plan.show(data.parts, data.here);
}

export default mountPlan;
export { useWords } from "../shared/words.ts";
