"""The parts of a lesson after its file was read and checked, and their plain JSON for the page. Standard library only."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from specviz.trace.records import Trace

_RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi")


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a lesson's file: one sentence, and the line it is about (from 1)."""

    file: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class LessonRecording:
    """A recording that a lesson speaks of.

    Attributes:
        name: the file's name without its ending.
        run: the run that the player shows: the first one that drafts.
        plain: the plain run beside it, if there is one.
        traces: everything in the file.
    """

    name: str
    file: Path
    run: Trace
    plain: Trace | None
    traces: tuple[Trace, ...]


@dataclass(frozen=True, slots=True)
class LessonMoment:
    """A moment of a recording, in the player's phases.

    Attributes:
        round: index of the round, from 0.
        phase: draft, verify, judge or commit.
        part: how much of the phase has passed, from 0 (its beginning) to 1 (its last moment).
        count: instead of `part`, in draft how many tokens are drafted, in judge how many verdicts are shown; None otherwise.
    """

    round: int
    phase: str
    part: float
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Highlight:
    """A part of the stage that is lit; `slot` is the number of a drafted token, or of a token of the text, from 1, for the parts that have one."""

    part: str
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A recording, a moment of it, and the parts of the stage that are lit.

    Attributes:
        asks: a question about this round is open, so the stage covers what the target would write until its verdict.
        whole: the whole text of the run is shown, beside that of the plain run, instead of its last round.
    """

    recording: str | None
    moment: LessonMoment | None
    lit: tuple[Highlight, ...]
    asks: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be chosen; `html` is safe."""

    html: str
    right: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its choices, and where the answer can be seen. `html` and `because` (the text after the choices) are safe."""

    html: str
    choices: tuple[Choice, ...]
    answer: Place
    because: str

    @property
    def before(self) -> Place:
        """The stage until the question is answered: the answer's round, drafted; not yet drafted where the draft is the answer; the
        start of the run where the answer is its whole text."""
        moment = self.answer.moment
        if moment is None:
            return Place(None, None, ())
        if self.answer.whole:
            return Place(self.answer.recording, LessonMoment(0, "draft", 0.0), (), asks=True)
        return Place(
            self.answer.recording, LessonMoment(moment.round, "draft", float(moment.phase != "draft")), (), asks=True
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a few sentences and the moment that they speak of.

    Attributes:
        title, html, notes: rendered and safe; the notes are for the presenter.
        place: what the stage shows; a question's answer has its own.
        captions: one for each analogy of the lesson, by its name; empty where the step has none.
        picture: what stands beside the text, see `specviz.lessons.reading.PICTURES`.
        line: where it begins in the file.
    """

    title: str
    html: str
    notes: str
    place: Place
    captions: dict[str, str]
    picture: str
    question: Question | None
    line: int


@dataclass(frozen=True, slots=True)
class Analogy:
    """A pair of characters whose captions can be chosen."""

    name: str
    draft: str
    target: str


@dataclass(frozen=True, slots=True)
class TryIt:
    """Where the button at the end leads: a screen, and the parameters of its address by their names on the command line."""

    screen: str
    parameters: dict[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class ChapterEnd:
    """The last sentence of a chapter, safe HTML ("" for none), beside what one of its steps shows, or the end of the recording that its last
    question is about."""

    html: str
    place: Place
    picture: str = "stage"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A chapter, rendered and resolved.

    Attributes:
        name: as in the address, `?lesson=editor`.
        number: its place in the list.
        language: as in the file's name.
        title: plain text.
        intro: what stands before the first step, safe HTML; "" for nothing.
        recordings: the first is the one that a step speaks of when it names none.
        questions: the two that end the chapter.
        formerly: names of chapters that it replaces, whose addresses open it.
        more: it stands apart from the course, under "More ways".
    """

    name: str
    number: int
    language: str
    title: str
    minutes: float
    intro: str
    analogies: tuple[Analogy, ...]
    recordings: tuple[LessonRecording, ...]
    steps: tuple[Step, ...]
    questions: tuple[Question, ...]
    ending: ChapterEnd
    try_it: TryIt
    formerly: tuple[str, ...]
    more: bool
    file: Path

    @property
    def direction(self) -> str:
        """The direction of the language's script: ltr or rtl."""
        return "rtl" if self.language.split("-")[0] in _RIGHT_TO_LEFT else "ltr"

    def chapter_json(self) -> dict[str, Any]:
        """A line of the list of chapters, see `Chapter` in lesson_types.ts."""
        names = ("name", "number", "language", "direction", "title", "minutes", "more")
        return {name: getattr(self, name) for name in names}

    def as_json(self) -> dict[str, Any]:
        """The lesson without its recordings, see `Lesson` in lesson_types.ts."""
        return {
            **self.chapter_json(),
            "intro": self.intro,
            "analogies": [asdict(analogy) for analogy in self.analogies],
            "pages": self.pages(),
        }

    def pages(self) -> list[dict[str, Any]]:
        """The steps, the questions that end the chapter, and the way on, see `LessonPage` in lesson_types.ts."""
        empty: dict[str, Any] = {"html": "", "notes": "", "captions": {}, "picture": "stage", "question": None}
        pages = [{**asdict(step), "kind": "step"} for step in self.steps]
        for question in self.questions:
            asked = {"title": question.html, "place": asdict(question.before), "question": asdict(question)}
            pages.append({**empty, "kind": "question", **asked})
        pages.append({**empty, "kind": "end", "title": "", **asdict(self.ending)})
        return pages
