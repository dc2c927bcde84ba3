// The Learn screen as a component of the page. Its state lives beside the page's element.

import { Learn } from "./learn.ts";
import type { LearnComponent } from "./lesson_types.ts";
import { BY_QUERY } from "./page_turning.ts";

const screens = new WeakMap<HTMLElement, Learn>();

function mountLearn({ data, parentElement, setTriggerValue, address }: LearnComponent) {
  const root = parentElement.querySelector(".learn");
  if (!(root instanceof HTMLElement) || !data) return;
  const server = {
    go: (query: Record<string, string>) => setTriggerValue?.("go", query),
    share: (step: string) => setTriggerValue?.("share", { step }),
    tryIt: () => setTriggerValue?.("try", true),
  };
  const screen = screens.get(root) ?? new Learn(root, server);
  screens.set(root, screen);
  screen.server = server;
  screen.address = address ?? BY_QUERY;
  screen.show(data);
}

export { useWords } from "../shared/words.ts";

export default mountLearn;
