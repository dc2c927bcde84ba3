// The plan of a lesson as a component of the page: what happens when. A part that is pressed opens.

import { button, el } from "../shared/dom.ts";
import { word } from "../shared/words.ts";

/** in minutes. */
type PlanPart = { begins: number; ends: number; title: string; what: string };
type PlanComponent = {
  data: { parts: PlanPart[]; here: number } | null;
  parentElement: Document | Element | ShadowRoot;
  setTriggerValue: (name: string, value: unknown) => void;
};

const EDGE = 8;
let count = 0;

class LessonPlan {
  go: (index: number) => void = () => {};
  sheet = el("div", "plan-sheet");
  list = el("ol", "plan-parts");
  open = button("plan-open", word("Plan"), () => {});

  constructor(root: Element) {
    this.sheet.popover = "auto";
    this.sheet.id = `plan-${++count}`;
    this.sheet.append(el("h2", "plan-head", word("45 minutes")), this.list);
    this.open.setAttribute("popovertarget", this.sheet.id);
    this.sheet.addEventListener("toggle", () => this.place());
    root.replaceChildren(this.open, this.sheet);
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
    this.list.replaceChildren(...parts.map((part, index) => this.item(part, index, index === here)));
  }

  item({ begins, ends, title, what }: PlanPart, index: number, isOpen: boolean) {
    const node = button("plan-part", "", () => {
      this.sheet.hidePopover();
      this.go(index);
    });
    const minutes = el("span", "plan-minutes", `${begins}–${ends}`);
    node.append(minutes, el("strong", "", word(title)), el("span", "", word(what)));
    if (isOpen) node.setAttribute("aria-current", "step");
    return el("li", "", node);
  }
}

const plans = new WeakMap<Element, LessonPlan>();

function mountPlan({ data, parentElement, setTriggerValue }: PlanComponent) {
  const root = parentElement.querySelector(".plan");
  if (!root || !data) return;
  const plan = plans.get(root) ?? new LessonPlan(root);
  plans.set(root, plan);
  plan.go = (index) => setTriggerValue("go", index);
  plan.show(data.parts, data.here);
}

export default mountPlan;
export { useWords } from "../shared/words.ts";
