// The Learn screen: words and picture of one page of a lesson, and the way from page to page.

import { ClassroomSync } from "../classroom/lead_room.ts";
import { el, listenWhileShown, setText } from "../shared/dom.ts";
import { filledIn } from "../shared/words.ts";
import { contentsOf } from "./contents.ts";
import { learnBar, learnMarks } from "./learn_bar.ts";
import { lessonPageOf } from "./lesson_page.ts";
import { LessonPicture } from "./lesson_picture.ts";
import { turnOfKey } from "./lesson_stage.ts";
import type { LearnAddress, LearnData, Lesson, LessonPage } from "./lesson_types.ts";
import { BY_QUERY, pageOf } from "./page_turning.ts";
import { chapterIsDone, chooseAnalogy, chosenAnalogy } from "./reader_memory.ts";
import { textOf } from "./trusted_html.ts";

/** What only the page's server can do. */
type Server = { go: (query: Record<string, string>) => void; tryIt: () => void; share: (step: string) => void };

const DIGIT = /^[1-9]$/;
/** On a phone, a window narrower than this, the words stand under the picture, and the page's own bar lies over what is scrolled under it. */
const [NARROW_PX, PAGE_BAR_PX] = [640, 60];

export class Learn {
  root: HTMLElement;
  server: Server;
  classroom: ClassroomSync;
  lesson: HTMLDivElement;
  address: LearnAddress = BY_QUERY;
  data: LearnData | null = null;
  open = 0;
  analogy = "";
  /** The answers that were chosen, by page. */
  chosen: Map<number, number> = new Map();
  problem = el("p", { class: "learn-problem", role: "alert" });
  bar = learnBar({
    speak: (language) => this.speak(language),
    teach: () => this.go(this.data?.lesson?.name ?? "", this.open, { teach: "1" }),
    contents: () => this.server.go({}),
    share: () => this.server.share(String(this.open + 1)),
    compare: (analogy) => this.compare(analogy),
  });
  words = el("div", { class: "learn-words", "aria-live": "polite" });
  side = el("aside", "learn-side");
  marks = learnMarks(
    (by) => this.turn(by),
    (index) => this.turnTo(index, true),
  );
  picture = new LessonPicture();
  contents = el("div");

  constructor(root: HTMLElement, server: Server) {
    this.root = root;
    this.server = server;
    this.classroom = new ClassroomSync(this);
    const text = el("div", "learn-text", this.words, this.side, this.marks.node);
    this.lesson = el("div", "learn-lesson", text, this.picture.node);
    root.replaceChildren(this.problem, this.bar.node, this.lesson, this.contents);
    listenWhileShown(root, document, "keydown", (event: KeyboardEvent) => this.hear(event), true);
  }

  show(data: LearnData) {
    const { lesson } = data;
    const other = data.edition !== this.data?.edition;
    const before = this.data;
    this.data = data;
    this.root.classList.toggle("talk", data.talk);
    this.lesson.hidden = this.bar.node.hidden = !lesson;
    this.contents.hidden = Boolean(lesson);
    this.say(data.problem);
    if (!lesson) {
      const open = (name: string) => (name ? this.go(name) : this.server.go({}));
      const speak = (language: string) => this.speak(language);
      const acts = { open, teach: () => this.server.go({ teach: "1" }), speak };
      this.contents.replaceChildren(contentsOf(data, acts, this.address));
      return;
    }
    this.root.lang = lesson.language;
    this.lesson.dir = lesson.direction;
    this.picture.wear();
    if (other) {
      this.picture.give(data);
      if (before?.lesson?.name !== lesson.name) this.chosen.clear();
      if (!lesson.analogies.some(({ name }) => name === this.analogy)) this.analogy = chosenAnalogy(lesson);
    }
    this.bar.show(data, lesson);
    const same = before?.lesson?.name === lesson.name && before.lesson.language === lesson.language;
    const stays = same && (before.talk !== data.talk || before.notes !== data.notes);
    const here = other && !stays ? 0 : this.open;
    const named = data.room || stays ? here : pageOf(this.address.search(), this.pages.length);
    if (named === null) {
      const step = `'${(new URLSearchParams(this.address.search()).get("step") ?? "").slice(0, 20)}'`;
      this.say(filledIn(data.words.no_step, { count: this.pages.length, step }));
    }
    if (other || (named ?? 0) !== this.open || before?.talk !== data.talk || before?.notes !== data.notes)
      this.turnTo(named ?? 0, false);
    if (stays) history.replaceState(history.state, "", this.address.of(lesson, here)); // the server knows the first step only
    this.classroom.show();
  }

  get pages() {
    return this.data?.lesson?.pages ?? [];
  }

  say(sentence: string) {
    setText(this.problem, sentence);
    this.problem.hidden = !sentence;
  }

  // ------------------------------------------------------------ the way from page to page

  turn(by: number) {
    const { data, open } = this;
    if (!data) return;
    const { lesson, chapters } = data;
    if (!lesson) {
      if (by > 0 && chapters.length) this.go(chapters[0].name);
    } else if (this.pages[open + by]) this.turnTo(open + by, true);
    else if (by > 0) this.goOn();
  }

  /** @param ours it was asked for here, so the address and the room are to know. */
  turnTo(index: number, ours: boolean) {
    const { data } = this;
    if (!data?.lesson || (ours && data.room === "following")) return;
    const forward = index > this.open;
    this.open = index;
    if (this.pages[index].kind === "end") chapterIsDone(data.lesson.name);
    if (ours) {
      if (!data.room) history.replaceState(history.state, "", this.address.of(data.lesson, index));
      this.say("");
      this.classroom.report();
    }
    this.fill();
    this.picture.show(this.pages[index], this.place(), data, forward);
    if (ours && window.innerWidth < NARROW_PX && this.lesson.getBoundingClientRect().top < PAGE_BAR_PX)
      this.lesson.scrollIntoView({ block: "start" }); // the reader had scrolled past the picture and the first words
  }

  /** What the open page points at: its answer, where one was chosen. */
  place() {
    const { question, place } = this.pages[this.open];
    return question && this.chosen.has(this.open) ? question.answer : place;
  }

  /** Ask the server for a page of a lesson, in the way in which it is shown now. */
  go(lesson: string, page = 0, more: Record<string, string> = {}) {
    const { talk, notes } = this.data ?? {};
    const way = { ...(talk && { teach: "1" }), ...(notes && { notes: "1" }) };
    this.server.go({ lesson, step: String(page + 1), ...way, ...more });
  }

  /** The same page in another language. */
  speak(language: string) {
    const { lesson, glossary_open } = this.data ?? {};
    if (lesson) this.go(lesson.name, this.open, { lang: language });
    else this.server.go({ lang: language, ...(glossary_open ? { lesson: "glossary" } : {}) });
  }

  /** The chapter after this one. */
  after() {
    const { chapters = [], lesson = null } = this.data ?? {};
    return chapters[chapters.findIndex(({ name }) => name === lesson?.name) + 1] ?? null;
  }

  goOn() {
    const after = this.after();
    if (after) this.go(after.name);
  }

  hear(event: KeyboardEvent) {
    if (!this.data || this.data.room === "following" || document.querySelector("dialog[open]")) return;
    const by = turnOfKey(event);
    const count = this.pages[this.open]?.question?.choices.length ?? 0;
    const plain = !event.metaKey && !event.ctrlKey && !event.altKey;
    if (by) this.turn(by);
    else if (plain && DIGIT.test(event.key) && Number(event.key) <= count) this.answer(Number(event.key) - 1);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  answer(index: number) {
    const { data } = this;
    if (!data) return;
    this.chosen.set(this.open, index);
    this.fill();
    this.classroom.report();
    const pressed = this.words.querySelectorAll("button")[index];
    if (pressed instanceof HTMLButtonElement) pressed.focus({ preventScroll: true });
    this.picture.show(this.pages[this.open], this.place(), data, true);
  }

  compare(analogy: string) {
    this.analogy = analogy;
    chooseAnalogy(this.data?.lesson ?? null, analogy);
    this.fill();
    this.classroom.report();
  }

  // ------------------------------------------------------------ a room

  /** Where this lesson is; null where none is open. */
  whereabouts() {
    const { lesson } = this.data ?? {};
    if (!lesson) return null;
    const chosen = this.chosen.get(this.open) ?? null;
    return { lesson: lesson.name, language: lesson.language, page: this.open, analogy: this.analogy, chosen };
  }

  /** What the presenter's page shows. */
  turnWith(page: number, analogy: string, chosen: number | null) {
    if (!this.pages[page]) return;
    this.analogy = analogy;
    if (chosen === null) this.chosen.delete(page);
    else this.chosen.set(page, chosen);
    this.turnTo(page, false);
  }

  // ------------------------------------------------------------ building

  /** The words of the open page; the focus, if it was on them, stays in the lesson. */
  fill() {
    const { data } = this;
    if (!data?.lesson) return;
    const page = this.pages[this.open];
    const after = this.after();
    const context = {
      words: data.words,
      glossary: data.glossary,
      language: data.lesson.language,
      intro: this.open === 0 ? data.lesson.intro : "",
      analogy: this.analogy,
      chosen: this.chosen.get(this.open) ?? null,
      after,
      answer: (index: number) => this.answer(index),
      tryIt: () => this.server.tryIt(),
      goOn: () => this.goOn(),
      still: data.room === "following",
    };
    this.words.replaceChildren(lessonPageOf(page, context));
    this.fillSide(data, data.lesson, page);
    this.marks.show(data.words, data.lesson, this.open, Boolean(after));
    this.bar.press(this.analogy, page);
  }

  /** What a presenter sees besides: the notes, and what comes next. */
  fillSide({ notes, words }: LearnData, lesson: Lesson, page: LessonPage) {
    this.side.hidden = !notes;
    if (!notes) return;
    const after = this.pages[this.open + 1];
    const next = after ? textOf(after.title) || words.done : (this.after()?.title ?? words.done);
    this.side.lang = lesson.language;
    this.side.setAttribute("aria-label", words.notes);
    this.side.replaceChildren(
      el("h3", "learn-faint", words.notes),
      el("p", "learn-notes", notesOf(page, words)),
      el("p", "learn-then", filledIn(words.then, { title: next })),
    );
  }
}

/** What the presenter may say; of a question its answer and why. */
function notesOf({ notes, question }: LessonPage, words: Record<string, string>) {
  const right = question?.choices.find((choice) => choice.right);
  const answer = right ? filledIn(words.answer_is, { answer: textOf(right.html) }) : "";
  const said = [textOf(notes), answer, textOf(question?.because ?? "")].filter(Boolean).join(" ");
  return said || words.no_notes;
}
