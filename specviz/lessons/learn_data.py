"""The JSON of the Learn screen and of an exported lesson: lessons, their recordings as the player takes them, the figures of their pictures."""

import json
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any, Final

from specviz.folders import ASSETS
from specviz.lessons.files import BUILT_IN
from specviz.lessons.folder import Contents
from specviz.lessons.lesson import Lesson, LessonRecording
from specviz.reporting.player.scripts import style
from specviz.trace.files import dump
from specviz.trace.metrics import speedup, summarise
from specviz.words import ENGLISH, languages, translate

_HIDDEN = ("predict", "rounds", "keys", "title")
_CONTROLS = "transport"  # the player's name for its controls, which a lesson shows only if it speaks of them
_COSTS = "recorded-costs.json"
_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}

# The fields of `LearnData` in lesson_types.ts that depend on the open lesson, where none is open.
CLOSED: Final[dict[str, Any]] = {"lesson": None, "edition": "", "views": {}, "dots": [], "costs": None, "sheets": {}}


def lesson_json(
    lesson: Lesson, *, talk: bool = False, recording_json: Callable[[LessonRecording], Any] = lambda r: dump(r.traces)
) -> dict[str, Any]:
    """The fields of `LearnData` in lesson_types.ts that depend on the lesson alone; `recording_json` makes the part of a view that is its recording."""
    parts = {highlight.part for step in lesson.steps for highlight in step.place.lit}
    hide = [*_HIDDEN, *([] if "controls" in parts else [_CONTROLS])]
    explorables = has_explorables(lesson)
    dots = [dot for recording in lesson.recordings if (dot := formula_dot(recording))] if explorables else []
    return {
        "lesson": lesson.as_json(),
        "views": {
            recording.name: {
                "id": f"lesson-{lesson.name}-{recording.name}-{recording.file.stat().st_mtime_ns}",
                "status": "shipped",
                "origin": "A real run, recorded earlier",
                "recording": recording_json(recording),
                "speedups": [],
                "talk": talk,
                "hide": hide,
            }
            for recording in lesson.recordings
        },
        "dots": dots,
        "costs": recorded_costs(lesson.recordings) if explorables else None,
        "sheets": _sheets({step.picture for step in lesson.steps}) if explorables else {},
    }


def has_explorables(lesson: Lesson) -> bool:
    """True if a step has another picture than the stage."""
    return any(step.picture != "stage" for step in lesson.steps)


def _sheets(pictures: set[str]) -> dict[str, str]:
    """The styles of a lesson's explorables: four kinds of text are lanes of a race, which have their own."""
    return {"explorables": style("explorables"), **({"kinds": style("race")} if "four kinds" in pictures else {})}


def in_language(contents: Contents, language: str) -> list[Lesson]:
    """Every lesson once, in this language where there is one."""
    names = dict.fromkeys(lesson.name for lesson in contents.lessons)
    return [lesson for name in names if (lesson := contents.lesson(name, language))]


def screen_json(contents: Contents, language: str, *, talk: bool = False, notes: bool = False) -> dict[str, Any]:
    """The fields of `LearnData` in lesson_types.ts that all lessons of a language share."""
    return {
        "chapters": [lesson.chapter_json() for lesson in in_language(contents, language)],
        "problems": [str(problem) for problem in contents.problems],
        "language": language,
        "talk": talk,
        "notes": notes,
    }


def formula_dot(recording: LessonRecording) -> dict[str, Any] | None:
    """A run as a dot of the speedup formula: its letters and its speedup, all measured in the recording.

    None for a run without a plain run, or in which nothing was drafted or judged.
    """
    run, plain = recording.run, recording.plain
    alpha = summarise(run).acceptance_rate
    drafting = [round_ for round_ in run.rounds if round_.drafted]
    if plain is None or not plain.rounds or alpha is None or not drafting:
        return None
    plain_pass = median(round_.verify_s for round_ in plain.rounds)
    if plain_pass <= 0:
        return None
    drafted = sum(len(round_.drafted) for round_ in drafting)
    return {
        "name": recording.name,
        "alpha": alpha,
        "c": sum(round_.draft_s for round_ in drafting) / drafted / plain_pass,
        "v": median(round_.verify_s for round_ in drafting) / plain_pass,
        "k": run.settings.k,
        "speedup": speedup(plain, run),
    }


def recorded_costs(recordings: Iterable[LessonRecording]) -> dict[str, Any] | None:
    """The costs of passes on the recorded machine, see `RecordedCosts` in lesson_types.ts; None where no recording is of the target measured there."""
    figures: dict[str, Any] = json.loads((ASSETS / _COSTS).read_text(encoding="utf-8"))
    passes = figures["passes"]
    cards = [recording.run.card.target for recording in recordings]
    target = next((card for card in cards if card.name == passes["target"]), None)
    if target is None:
        return None
    return {
        **passes,
        "file": f"assets/{_COSTS}",
        "weights_bytes": target.parameters * _BYTES[passes["dtype"]],
        "guests": figures["guests"]["points"],
        "guest_drafts": figures["guests"]["draft_points"],
        "mixture": figures["experts"],
    }


def ui_words(language: str) -> dict[str, str]:
    """The words around a lesson, such as Next and Back: `words.json` beside the lessons, in a language of the page; else English."""
    spoken = next((code for code in (language, language.partition("-")[0]) if code in languages()), ENGLISH)
    english: dict[str, str] = json.loads((BUILT_IN / "words.json").read_text(encoding="utf-8"))
    return {name: translate(text, spoken) for name, text in english.items()}
