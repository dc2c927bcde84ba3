"""Reads a lesson's file: looks up in the recordings everything that it names, and notes each mistake as a sentence with its line."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from specviz.errors import TraceError
from specviz.lessons.checks import early_figure, early_pictures, typed_numbers, with_covers
from specviz.lessons.files import FileName, file_name, recording_file
from specviz.lessons.front_matter import FrontMatter
from specviz.lessons.lesson import (
    ChapterEnd,
    Choice,
    Highlight,
    Lesson,
    LessonMoment,
    LessonRecording,
    Place,
    Problem,
    Question,
    Step,
)
from specviz.lessons.moments import END, read_highlights, read_moment, shows_whole_text
from specviz.lessons.placeholders import Filling, Placeholders
from specviz.lessons.rendering import Fill, html_of, inline_html_of, problems_of
from specviz.lessons.sections import LineError, Section, SplitFile, Text, read_parts
from specviz.trace.files import read_file
from specviz.trace.records import Trace

_T = TypeVar("_T")
MAX_STEPS = 9
QUESTIONS = 2
_STEP_KEYS = ("moment", "light", "recording", "picture", "notes")
_QUESTION_KEYS = ("moment", "light", "recording")
_CAPTION = "caption "
# What may stand beside a step's text.
PICTURES = (
    *(
        "stage",
        "rule",
        "bars",
        "residual",
        "wrong rule",
        "four kinds",
        "four numbers",
        "formula",
        "real runs",
        "bug",
        "many samples",
    ),
    *("one token", "six passes", "six in one"),
    *("mask", "cost", "large model", "guests", "one guest", "rush hour", "switched off", "routing", "experts"),
)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The lesson of a file, or its problems in the order of their lines."""

    file: Path
    lesson: Lesson | None
    problems: tuple[Problem, ...]


def read_lesson(file: Path) -> ReadResult:
    """Read and check a file. No content of a file raises."""
    reader = _Reader(file)
    lesson = reader.read()
    problems = tuple(sorted(set(reader.problems), key=lambda problem: problem.line))
    return ReadResult(file, None if problems else lesson, problems)


@lru_cache(maxsize=16)
def _traces(file: Path, changed_ns: int, size: int) -> tuple[Trace, ...]:
    """A recording, read once for all lessons that speak of it, as long as its file stays as it is."""
    return read_file(file)


def find_recording(name: str, folder: Path) -> LessonRecording:
    """A recording by its name: beside the file that speaks of it, else one that comes with the project. Raises
    ValueError if it is not there, or cannot be used; the message says why, without a full stop."""
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
    return lesson_recording(name, file, traces)


def lesson_recording(name: str, file: Path, traces: tuple[Trace, ...]) -> LessonRecording:
    """The first run that drafts, and the plain run of its prompt. Raises ValueError if there is no round in it; the
    message has no full stop."""
    run = next((trace for trace in traces if trace.drafts), traces[0])
    plain = (t for t in traces if t is not run and t.card.drafter.name == "none" and t.prompt == run.prompt)
    if not run.rounds:
        raise ValueError(f"the recording {name!r} holds no round: its run was stopped before anything was written")
    return LessonRecording(name, file, run, next(plain, None), traces)


@dataclass(frozen=True, slots=True)
class _Scene:
    """A place of the stage, the recording whose figures its text gives, and the index of its round."""

    place: Place
    recording: LessonRecording | None
    round: int | None = None


class _Reader:
    """Reads one file, and collects its mistakes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.recordings: list[LessonRecording] = []
        self.placeholders = Placeholders((), "en")
        self.parts = SplitFile({}, {}, Text("", 1), (), ())

    def wrong(self, line: int, sentence: str) -> None:
        """Note one mistake; the sentence has no full stop."""
        self.problems.append(Problem(self.file.name, line, sentence.rstrip(".") + "."))

    def read(self) -> Lesson | None:
        name = file_name(self.file)
        if name is None:
            self.wrong(1, "the file's name is not like 01-editor.md, or 01-editor.de.md in another language")
            return None
        try:
            self.parts = read_parts(self.file)
            return self._lesson(name)
        except LineError as error:
            self.wrong(error.line, error.sentence)
        except Exception as error:  # noqa: BLE001  # one file must not take the others with it, whatever is wrong with it
            what = f"{type(error).__name__}: {error}"
            self.wrong(1, f"the file cannot be read, and its form has no sentence of its own yet ({what:.120})")
        return None

    # ------------------------------------------------------------ the chapter

    def _lesson(self, file_name: FileName) -> Lesson:
        front = FrontMatter(self.parts.keys, self.parts.key_lines, self.wrong)
        for name in dict.fromkeys(front.value("recordings") or front.value("recording")):
            try:
                self.recordings.append(find_recording(name, self.file.parent))
            except ValueError as error:
                self.wrong(front.line("recordings" if "recordings" in self.parts.keys else "recording"), str(error))
        self.placeholders = Placeholders(self.recordings, file_name.language)
        default = self.recordings[0] if self.recordings else None
        scene = _Scene(Place(None, None, ()), default)
        self._count()
        analogies = front.value("analogies")
        names = tuple(analogy.name for analogy in analogies)
        steps = tuple(self._step(section, names) for section in self.parts.steps[:MAX_STEPS])
        for index, first in early_pictures(steps):
            whose = "beside this question" if first == index else f"of step {first + 1}"
            self.wrong(
                self.parts.steps[index].questions[0].heading.line,
                f"the picture {whose} already shows the answer: give that step a moment before it, such as round N, verified",
            )
        steps = with_covers(steps)
        questions = tuple(self._question(section) for section in self.parts.questions[:QUESTIONS])
        return Lesson(
            name=file_name.name,
            number=file_name.number,
            language=file_name.language,
            title=front.value("title"),
            minutes=front.value("minutes"),
            intro=self._blocks(self.parts.intro, scene),
            analogies=analogies,
            recordings=tuple(self.recordings),
            steps=steps,
            questions=questions,
            ending=self._ending(front, scene, steps, questions),
            try_it=front.try_it(default),
            formerly=front.value("formerly"),
            more=front.value("more"),
            file=self.file,
        )

    def _count(self) -> None:
        steps, questions = len(self.parts.steps), len(self.parts.questions)
        if not steps:
            self.wrong(1, "the lesson has no steps: each begins with a heading such as ## The draft")
        if steps > MAX_STEPS:
            line = self.parts.steps[MAX_STEPS].heading.line
            self.wrong(
                line, f"the lesson has {steps} steps and may have {MAX_STEPS}: leave some out, or make two lessons"
            )
        if questions != QUESTIONS:
            line = self.parts.questions[QUESTIONS].heading.line if questions > QUESTIONS else 1
            self.wrong(
                line, f"a lesson ends with {QUESTIONS} questions, and this one has {questions}: each begins with ## ?"
            )

    # ------------------------------------------------------------ steps and questions

    def _step(self, section: Section, analogies: tuple[str, ...]) -> Step:
        captions = self._captions(section, analogies)
        self._check_keys(section, (*_STEP_KEYS, *(_CAPTION + name for name in analogies)))
        scene = self._scene(section)
        if len(section.questions) > 1:
            self.wrong(section.questions[1].heading.line, "a step has one question at most")
        question = self._question(section.questions[0]) if section.questions else None
        if question is not None:
            above = [section.heading, section.body, section.questions[0].heading, *captions.values()]
            default = scene.recording.name if scene.recording else None
            figure = early_figure([text.text for text in above], default, question.answer)
            if figure is not None:
                self.wrong(
                    section.heading.line,
                    f"the text above the question gives {figure}, which answers it: write it after the choices",
                )
        picture = section.keys.get("picture")
        if picture is not None and picture.text not in PICTURES:
            self.wrong(picture.line, f"picture was {picture.text!r:.60}: write one of {', '.join(PICTURES)}")
        if question is None and not section.body.text.strip():
            self.wrong(section.heading.line, "a step without a sentence")
        return Step(
            title=self._line(section.heading, scene),
            html=self._blocks(section.body, scene),
            notes=self._line(section.keys.get("notes"), scene),
            place=scene.place,
            captions={name: self._line(text, scene) for name, text in captions.items()},
            picture=picture.text if picture else "stage",
            question=question,
            line=section.heading.line,
        )

    def _question(self, section: Section) -> Question:
        self._check_keys(section, _QUESTION_KEYS)
        if "moment" not in section.keys:
            self.wrong(
                section.heading.line, "a question needs the moment that shows its answer: moment: round 1, judged"
            )
        right = sum(correct for _, correct in section.choices)
        if not 2 <= len(section.choices) <= 6 or right != 1:
            self.wrong(section.heading.line, "a question has two to six choices, and one of them is marked [x]")
        scene = self._scene(section)
        choices = tuple(Choice(self._line(words, scene, numbers=good), good) for words, good in section.choices)
        heading, because = self._line(section.heading, scene), self._blocks(section.body, scene)
        return Question(heading, choices, scene.place, because)

    def _ending(
        self, front: FrontMatter, scene: _Scene, steps: tuple[Step, ...], questions: tuple[Question, ...]
    ) -> ChapterEnd:
        html = self._line(Text(front.value("end"), front.line("end")), scene)
        shown = front.value("end shows")
        if shown > len(steps):
            self.wrong(front.line("end shows"), f"end shows step {shown}, and the lesson has {len(steps)} steps")
        elif shown:
            step = steps[shown - 1]
            return ChapterEnd(html, replace(step.place, lit=(), asks=False), step.picture)
        return ChapterEnd(html, self._end_of(questions))

    def _end_of(self, questions: tuple[Question, ...]) -> Place:
        """The end of the recording that the last question is about."""
        name = questions[-1].answer.recording if questions else None
        recording = next((recording for recording in self.recordings if recording.name == name), None)
        if recording is None:
            return Place(name, None, ())
        return Place(name, read_moment(END, recording), (), whole=True)

    def _scene(self, section: Section) -> _Scene:
        recording = self._recording(section)
        moment: LessonMoment | None = None
        lit: tuple[Highlight, ...] = ()
        whole = False
        if "moment" in section.keys:
            text = section.keys["moment"]
            whole = shows_whole_text(text.text)
            if recording is None:
                self.wrong(text.line, "a moment needs a recording: name one in the front matter")
            else:
                moment = self._value_or_note(text.line, lambda: read_moment(text.text, recording))
        if "light" in section.keys and (moment is not None or "moment" not in section.keys):
            text = section.keys["light"]
            lit = (
                self._value_or_note(text.line, lambda: read_highlights(text.text, moment, recording, whole=whole)) or ()
            )
        name = recording.name if recording and moment else None
        return _Scene(Place(name, moment, lit, whole=whole), recording, moment.round if moment else None)

    def _recording(self, section: Section) -> LessonRecording | None:
        name = section.keys.get("recording")
        if name is None:
            return self.recordings[0] if self.recordings else None
        recordings = {recording.name: recording for recording in self.recordings}
        if name.text not in recordings:
            self.wrong(
                name.line,
                f"the recording {name.text!r:.80} is not one of the lesson's: {', '.join(recordings) or 'none'}",
            )
        return recordings.get(name.text)

    def _captions(self, section: Section, analogies: tuple[str, ...]) -> dict[str, Text]:
        captions = {name: section.keys[_CAPTION + name] for name in analogies if _CAPTION + name in section.keys}
        missing = [name for name in analogies if name not in captions]
        if captions and missing:
            self.wrong(
                section.heading.line, f"a caption for {missing[0]!r} is missing: give one for each analogy, or none"
            )
        return captions

    def _check_keys(self, section: Section, keys: tuple[str, ...]) -> None:
        for key, text in section.keys.items():
            if key not in keys:
                self.wrong(text.line, f"{key!r} is unknown here: write one of {', '.join(keys)}")

    def _value_or_note(self, line: int, read: Callable[[], _T]) -> _T | None:
        try:
            return read()
        except ValueError as error:
            self.wrong(line, str(error))
            return None

    # ------------------------------------------------------------ text

    def _blocks(self, text: Text, scene: _Scene) -> str:
        return self._html(text, scene, html_of)

    def _line(self, text: Text | None, scene: _Scene, *, numbers: bool = True) -> str:
        return self._html(text, scene, inline_html_of, numbers=numbers) if text else ""

    def _html(self, text: Text, scene: _Scene, render: Callable[[str, Fill], str], *, numbers: bool = True) -> str:
        """The HTML of a text; "" where it has mistakes, which are noted, typed figures only where `numbers`."""
        default = scene.recording.name if scene.recording else None

        def fill(inside: str) -> Filling:
            return self.placeholders.fill(inside, default)

        mistakes = list(problems_of(text.text, fill))
        if numbers:
            figures = {
                source.name: self.placeholders.numbers(source.name, scene.round if source is scene.recording else None)
                for source in self.recordings
            }
            mistakes += typed_numbers(text.text, figures, default)
        for line, sentence in mistakes:
            self.wrong(text.line + line, sentence)
        return "" if mistakes else render(text.text, fill)
