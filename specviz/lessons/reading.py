"""A lesson's file as a `Lesson`: everything it names is looked up in the recordings, and whatever is wrong is a sentence with its line."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from specviz.errors import TraceError
from specviz.lessons import frontmatter_keys as front
from specviz.lessons import given_away
from specviz.lessons.lesson import Choice, Ending, Lesson, LessonMoment, Lit, Place, Problem, Question, Recorded, Step
from specviz.lessons.moments import read_lit, read_moment
from specviz.lessons.placeholders import Filled, Placeholders
from specviz.lessons.places import FileName, file_name, recording_file
from specviz.lessons.rendering import Fill, html_of, inline_html_of, problems_of
from specviz.lessons.sections import LineError, Raw, Section, Text, split
from specviz.lessons.typed_numbers import typed_numbers
from specviz.lessons.vocabulary import PICTURES
from specviz.trace.files import read_file
from specviz.trace.records import Trace

_T = TypeVar("_T")
MAX_BYTES = 200_000
MAX_STEPS = 8
QUESTIONS = 2
_STEP_KEYS = ("moment", "light", "recording", "picture", "notes")
_QUESTION_KEYS = ("moment", "light", "recording")
_CAPTION = "caption "


@dataclass(frozen=True, slots=True)
class LessonReading:
    """What came of reading a file: the lesson, or what is wrong with it, in the order of its lines."""

    file: Path
    lesson: Lesson | None
    problems: tuple[Problem, ...]
    watched: tuple[Path, ...]
    """What it depends on: the file itself, its folder, the recordings."""


def read_lesson(file: Path) -> LessonReading:
    """Read and check a file. Never raises for what is in it."""
    reader = _Reader(file)
    lesson = reader.read()
    problems = tuple(sorted(set(reader.problems), key=lambda problem: problem.line))
    watched = (file, file.parent, *(recorded.file for recorded in reader.recordings))
    return LessonReading(file, None if problems else lesson, problems, watched)


@lru_cache(maxsize=16)
def _traces(file: Path, changed_ns: int, size: int) -> tuple[Trace, ...]:
    """A recording, read once for all lessons that speak of it, as long as its file stays as it is."""
    return read_file(file)


def find_recording(name: str, folder: Path) -> Recorded:
    """A recording by its name: beside the file that speaks of it, else one that comes with the project.

    Raises:
        ValueError: it is not there, or cannot be used; the message says why, without a full stop.
    """
    file = recording_file(name, folder)
    if file is None:
        raise ValueError(
            f"the recording {name!r:.80} is not there: put {name:.80}.json beside the lesson, or name one that comes with specviz"
        )
    try:
        status = file.stat()
        traces = _traces(file, status.st_mtime_ns, status.st_size)
    except (TraceError, OSError) as error:
        raise ValueError(f"the recording {name!r} cannot be read: {error}") from error
    return recorded(name, file, traces)


def recorded(name: str, file: Path, traces: tuple[Trace, ...]) -> Recorded:
    """The runs of a recording that a lesson speaks of.

    Raises:
        ValueError: there is no round in it; the message has no full stop.
    """
    run = next((trace for trace in traces if any(round_.drafted for round_ in trace.rounds)), traces[0])
    alike = (
        each for each in traces if each is not run and each.card.drafter.name == "none" and each.prompt == run.prompt
    )
    if not run.rounds:
        raise ValueError(f"the recording {name!r} holds no round: its run was stopped before anything was written")
    return Recorded(name, file, run, next(alike, None), traces)


class _Reader:
    """Reads one file, and collects what is wrong on the way."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.recordings: list[Recorded] = []
        self.placeholders = Placeholders((), "en")
        self.raw = Raw({}, {}, Text("", 1), (), ())

    def wrong(self, line: int, sentence: str) -> None:
        """Note one problem; sentences come without their full stop."""
        self.problems.append(Problem(self.file.name, line, sentence.rstrip(".") + "."))

    def read(self) -> Lesson | None:
        named = file_name(self.file)
        if named is None:
            self.wrong(1, "the file's name is not like 03-editor.md, or 03-editor.de.md in another language")
            return None
        try:
            self.raw = split(self._content())
            return self._lesson(named)
        except LineError as error:
            self.wrong(error.line, error.sentence)
        except Exception as error:  # noqa: BLE001  # one file must not take the others with it, whatever is wrong with it
            what = f"{type(error).__name__}: {error}"
            self.wrong(1, f"the file cannot be read, and its form has no sentence of its own yet ({what:.120})")
        return None

    def _content(self) -> str:
        if self.file.exists() and not self.file.is_file():
            raise LineError(1, "this is no regular file")  # a pipe would never end
        try:
            content = self.file.read_bytes()
        except OSError as error:
            raise LineError(1, f"the file cannot be opened ({error.strerror})") from error
        if len(content) > MAX_BYTES:
            raise LineError(1, f"the file has {len(content) / 1000:.0f} kB, more than a lesson's {MAX_BYTES // 1000}")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise LineError(line, "this is not UTF-8: save the file as UTF-8") from error

    # ------------------------------------------------------------ the chapter

    def _lesson(self, named: FileName) -> Lesson:
        keys = front.Keys(self.raw.keys, self.raw.key_lines, self.wrong)
        chapter = keys.chapter()
        for name in keys.recordings():
            self._open(name, keys.line("recordings" if "recordings" in self.raw.keys else "recording"))
        self.placeholders = Placeholders(self.recordings, named.language)
        default = self.recordings[0] if self.recordings else None
        self._count()
        analogies = tuple(analogy.name for analogy in chapter.analogies)
        steps = tuple(self._step(section, analogies) for section in self.raw.steps[:MAX_STEPS])
        for index, first in given_away.shown_before(steps):
            whose = "beside this question" if first == index else f"of step {first + 1}"
            self.wrong(
                self.raw.steps[index].questions[0].heading.line,
                f"the picture {whose} already shows the answer: give that step a moment before it, such as round N, verified",
            )
        questions = tuple(self._question(section) for section in self.raw.questions[:QUESTIONS])
        return Lesson(
            name=named.name,
            number=named.number,
            language=named.language,
            title=chapter.title,
            minutes=chapter.minutes,
            intro=self._blocks(self.raw.intro, default, None),
            analogies=chapter.analogies,
            recordings=tuple(self.recordings),
            steps=given_away.covered(steps),
            questions=questions,
            ending=Ending(self._line(keys.end(), default, None), self._end_of(questions)),
            try_it=keys.try_it(default),
            file=self.file,
        )

    def _open(self, name: str, line: int) -> None:
        try:
            self.recordings.append(find_recording(name, self.file.parent))
        except ValueError as error:
            self.wrong(line, str(error))

    def _count(self) -> None:
        steps, questions = len(self.raw.steps), len(self.raw.questions)
        if not steps:
            self.wrong(1, "the lesson has no steps: each begins with a heading such as ## The draft")
        if steps > MAX_STEPS:
            line = self.raw.steps[MAX_STEPS].heading.line
            self.wrong(
                line, f"the lesson has {steps} steps and may have {MAX_STEPS}: leave some out, or make two lessons"
            )
        if questions != QUESTIONS:
            line = self.raw.questions[QUESTIONS].heading.line if questions > QUESTIONS else 1
            self.wrong(
                line, f"a lesson ends with {QUESTIONS} questions, and this one has {questions}: each begins with ## ?"
            )

    # ------------------------------------------------------------ steps and questions

    def _step(self, section: Section, analogies: tuple[str, ...]) -> Step:
        captions = self._captions(section, analogies)
        self._known_keys(section, _STEP_KEYS, allowed=_CAPTION)
        place, recorded, round_ = self._place(section)
        if len(section.questions) > 1:
            self.wrong(section.questions[1].heading.line, "a step has one question at most")
        question = self._question(section.questions[0]) if section.questions else None
        if question is not None:
            above = [section.heading, section.body, section.questions[0].heading, *captions.values()]
            told = given_away.said_before(
                [text.text for text in above], recorded.name if recorded else None, question.answer
            )
            if told is not None:
                self.wrong(
                    section.heading.line,
                    f"the text above the question gives {told}, which answers it: write it after the choices",
                )
        if question is None and not section.body.text.strip():
            self.wrong(section.heading.line, "a step without a sentence")
        return Step(
            title=self._line(section.heading, recorded, round_),
            html=self._blocks(section.body, recorded, round_),
            notes=self._line(section.keys.get("notes"), recorded, round_),
            place=place,
            captions={name: self._line(text, recorded, round_) for name, text in captions.items()},
            picture=self._one_of(section, "picture", tuple(PICTURES)) or "stage",
            question=question,
            line=section.heading.line,
        )

    def _question(self, section: Section) -> Question:
        self._known_keys(section, _QUESTION_KEYS)
        if "moment" not in section.keys:
            self.wrong(
                section.heading.line, "a question needs the moment that shows its answer: moment: round 1, judged"
            )
        right = sum(correct for _, correct in section.choices)
        if not 2 <= len(section.choices) <= 6 or right != 1:
            self.wrong(section.heading.line, "a question has two to six choices, and one of them is marked [x]")
        place, recorded, round_ = self._place(section)
        choices = tuple(
            Choice(self._line(words, recorded, round_, checked=correct), correct) for words, correct in section.choices
        )
        asked = self._line(section.heading, recorded, round_)
        return Question(asked, choices, place, self._blocks(section.body, recorded, round_))

    def _end_of(self, questions: tuple[Question, ...]) -> Place:
        """The end of the recording that the last question is about."""
        name = questions[-1].answer.recording if questions else None
        recorded = next((each for each in self.recordings if each.name == name), None)
        return Place(name, None if recorded is None else read_moment("end", recorded), ())

    def _place(self, section: Section) -> tuple[Place, Recorded | None, int | None]:
        """Where a section points, the recording whose figures it gives, and the index of the round that it speaks of."""
        recorded = self._recording(section)
        moment: LessonMoment | None = None
        lit: tuple[Lit, ...] = ()
        if "moment" in section.keys:
            text = section.keys["moment"]
            if recorded is None:
                self.wrong(text.line, "a moment needs a recording: name one in the front matter")
            else:
                moment = self._tried(text.line, lambda: read_moment(text.text, recorded))
        if "light" in section.keys and (moment is not None or "moment" not in section.keys):
            text = section.keys["light"]
            lit = self._tried(text.line, lambda: read_lit(text.text, moment, recorded)) or ()
        name = recorded.name if recorded and moment else None
        return Place(name, moment, lit), recorded, None if moment is None else moment.round

    def _recording(self, section: Section) -> Recorded | None:
        named = section.keys.get("recording")
        if named is None:
            return self.recordings[0] if self.recordings else None
        found = next((recorded for recorded in self.recordings if recorded.name == named.text), None)
        if found is None:
            listed = ", ".join(recorded.name for recorded in self.recordings) or "none"
            self.wrong(named.line, f"the recording {named.text!r:.80} is not one of the lesson's: {listed}")
        return found

    def _captions(self, section: Section, analogies: tuple[str, ...]) -> dict[str, Text]:
        given = {key.removeprefix(_CAPTION): text for key, text in section.keys.items() if key.startswith(_CAPTION)}
        for name, text in given.items():
            if name not in analogies:
                listed = ", ".join(analogies) or "none"
                self.wrong(text.line, f"{name!r:.40} is no analogy of this lesson; its front matter has {listed}")
        missing = [name for name in analogies if name not in given]
        if given and missing:
            self.wrong(
                section.heading.line, f"a caption for {missing[0]!r} is missing: give one for each analogy, or none"
            )
        return given

    def _known_keys(self, section: Section, known: tuple[str, ...], allowed: str = "\0") -> None:
        for key, text in section.keys.items():
            if key not in known and not key.startswith(allowed):
                self.wrong(text.line, f"{key!r} is unknown here: write one of {', '.join(known)}")

    def _one_of(self, section: Section, key: str, known: tuple[str, ...]) -> str | None:
        text = section.keys.get(key)
        if text is None or text.text in known:
            return text.text if text else None
        self.wrong(text.line, f"{key} was {text.text!r:.60}: write one of {', '.join(known)}")
        return None

    def _tried(self, line: int, read: Callable[[], _T]) -> _T | None:
        try:
            return read()
        except ValueError as error:
            self.wrong(line, str(error))
            return None

    # ------------------------------------------------------------ text

    def _blocks(self, text: Text, recorded: Recorded | None, round_: int | None) -> str:
        if not self._sound(text, recorded, round_):
            return ""
        return html_of(text.text, self._fill(recorded))

    def _line(self, text: Text | None, recorded: Recorded | None, round_: int | None, *, checked: bool = True) -> str:
        if text is None or not self._sound(text, recorded, round_, numbers=checked):
            return ""
        return inline_html_of(text.text, self._fill(recorded))

    def _fill(self, recorded: Recorded | None) -> Fill:
        def fill(inside: str) -> Filled:
            return self.placeholders.fill(inside, recorded.name if recorded else None)

        return fill

    def _sound(self, text: Text, recorded: Recorded | None, round_: int | None, *, numbers: bool = True) -> bool:
        """Whether a text holds nothing that is not allowed; notes what it does hold."""
        before = len(self.problems)
        for line, sentence in problems_of(text.text, self._fill(recorded), self.placeholders.knows):
            self.wrong(text.line + line, sentence)
        if numbers:
            known = {
                each.name: self.placeholders.numbers(each.name, round_ if each is recorded else None)
                for each in self.recordings
            }
            for line, sentence in typed_numbers(text.text, known, recorded.name if recorded else None):
                self.wrong(text.line + line, sentence)
        return len(self.problems) == before
