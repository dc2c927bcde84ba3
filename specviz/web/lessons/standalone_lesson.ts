// A lesson on a page of its own: its sections are in the page, and the picture beside them is what the open one speaks of.

import { onOtherColours } from "../shared/dom.ts";
import { embed } from "../shared/embed.ts";
import { explain } from "../shared/notes.ts";
import { useWords } from "../shared/words.ts";
import { LessonPicture } from "./lesson_picture.ts";
import { turnOfKey } from "./lesson_stage.ts";
import type { ExportedLesson, LearnData, LessonPage, Place } from "./lesson_types.ts";
import { gloss, TermFinder } from "./terms.ts";

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

function begin(host: HTMLElement, lesson: ExportedLesson) {
  const data = { ...lesson, talk: false } as unknown as LearnData; // what the picture reads of it
  const picture = new LessonPicture();
  const sections = all("section");
  let open = -1;

  const point = (place: Place, forward: boolean) =>
    picture.show(lesson.sections[open] as unknown as LessonPage, place, data, forward);

  const show = (index: number) => {
    const forward = index > open;
    open = index;
    document.body.classList.toggle("under-way", index > 0);
    sections.forEach((section, at) => {
      section.hidden = at !== index;
    });
    all("a.lesson-mark").forEach((mark, at) => {
      if (at === index) mark.setAttribute("aria-current", "step");
      else mark.removeAttribute("aria-current");
    });
    for (const button of all("button[data-by]"))
      button.toggleAttribute("disabled", !sections[index + Number(button.dataset.by)]);
    point(lesson.sections[index].place, forward);
  };

  /** Open the section that the address names. */
  const follow = () => show(Math.max(0, sections.map(({ id }) => `#${id}`).indexOf(location.hash)));

  const step = (by: number) => {
    if (sections[open + by]) location.hash = sections[open + by].id;
  };

  const answer = (pressed: HTMLElement) => {
    const parts = (selector: string) => sections[open].querySelectorAll<HTMLElement>(selector);
    for (const choice of parts(".lesson-choice")) choice.classList.toggle("chosen", choice === pressed);
    for (const outcome of parts(".outcome"))
      outcome.hidden = outcome.classList.contains("right") !== (pressed.dataset.right === "1");
    for (const because of parts(".because")) because.hidden = false;
    const place = lesson.sections[open].answer;
    if (place) point(place, true);
  };

  document.addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element ? target.closest("button") : null;
    if (!pressed || picture.node.contains(pressed)) return;
    const { by, analogy } = pressed.dataset;
    if (by) step(Number(by));
    else if (analogy) switchTo(analogy);
    else if (pressed.classList.contains("lesson-choice")) answer(pressed);
  });
  const turn = (event: KeyboardEvent) => {
    const by = turnOfKey(event);
    if (!by) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    step(by);
  };
  document.addEventListener("keydown", turn, true);
  window.addEventListener("hashchange", follow);
  onOtherColours(() => {
    picture.wear();
    if (lesson.sections[open].picture !== "stage") point(lesson.sections[open].place, true);
  });

  host.replaceChildren(picture.node);
  picture.give(data);
  markTerms(sections, new TermFinder(lesson.glossary));
  document.body.classList.add("stepwise");
  picture.wear();
  follow();
  embed();
}

/** The terms of the glossary in each section, and in the introduction before the first one; and what figures and tokens say. */
function markTerms(sections: HTMLElement[], finder: TermFinder) {
  sections.forEach((section, index) => {
    const own = [...section.children].filter((part) => part.tagName !== "H2" || section.dataset.asks);
    gloss([...(index ? [] : all(".intro")), ...own], finder);
  });
  for (const figure of all(".lesson-figure, .lesson-token"))
    if (figure.dataset.how) explain(figure, figure.dataset.how);
}

/** Show the captions of another analogy. */
function switchTo(name: string) {
  for (const node of all("body [data-analogy]")) {
    const chosen = node.dataset.analogy === name;
    if (node.tagName === "BUTTON") node.setAttribute("aria-pressed", String(chosen));
    else node.hidden = !chosen;
  }
  document.body.dataset.analogy = name;
}

const [host] = all(".picture");
const written = document.getElementById("lesson")?.textContent;
if (host && written) {
  const lesson = JSON.parse(written);
  useWords(lesson.spoken);
  begin(host, lesson);
}
