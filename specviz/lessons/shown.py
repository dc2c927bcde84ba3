"""What the Learn screen is given of an open lesson: the lesson, its recordings as the player shows them, what its explorables need."""

from collections.abc import Callable
from typing import Any, Final

from specviz.lessons.dots import dot
from specviz.lessons.folder import Contents
from specviz.lessons.lesson import Lesson, Recorded
from specviz.lessons.machine import recorded_costs
from specviz.reporting.player.scripts import style
from specviz.trace.files import dump

_HIDDEN = ("predict", "rounds", "keys", "title")
_CONTROLS = "transport"
"""The player's name for its controls, which a lesson shows only if it speaks of them."""


CLOSED: Final[dict[str, Any]] = {"lesson": None, "edition": "", "views": {}, "dots": [], "costs": None, "sheet": ""}
"""What `LearnData` in lesson_types.ts has of a lesson where none is open."""


def learn_data(
    lesson: Lesson, *, talk: bool = False, recording: Callable[[Recorded], Any] = lambda each: dump(each.traces)
) -> dict[str, Any]:
    """The part of `LearnData` in lesson_types.ts that depends on the lesson alone; `recording` gives what stands in a view for its recording."""
    lit = {each.part for step in lesson.steps for each in step.place.lit}
    hide = [*_HIDDEN, *([] if "controls" in lit else [_CONTROLS])]
    explored = any(step.picture != "stage" for step in lesson.steps)
    return {
        "lesson": lesson.as_json(),
        "views": {
            each.name: {
                "id": f"lesson-{lesson.name}-{each.name}-{each.file.stat().st_mtime_ns}",
                "status": "shipped",
                "origin": "A real run, recorded earlier",
                "recording": recording(each),
                "speedups": [],
                "talk": talk,
                "hide": hide,
            }
            for each in lesson.recordings
        },
        "dots": [found for each in lesson.recordings if (found := dot(each))] if explored else [],
        "costs": recorded_costs(lesson.recordings) if explored else None,
        "sheet": style("explorables") if explored else "",
    }


def in_language(contents: Contents, language: str) -> list[Lesson]:
    """Every lesson once, in this language where there is one."""
    names = dict.fromkeys(lesson.name for lesson in contents.lessons)
    return [lesson for name in names if (lesson := contents.lesson(name, language))]


def around(contents: Contents, language: str, *, talk: bool = False, notes: bool = False) -> dict[str, Any]:
    """What `LearnData` has for every lesson in a language."""
    return {
        "chapters": [_chapter(lesson) for lesson in in_language(contents, language)],
        "problems": [str(problem) for problem in contents.problems],
        "language": language,
        "talk": talk,
        "notes": notes,
    }


def _chapter(lesson: Lesson) -> dict[str, Any]:
    """One line of the list of chapters."""
    return {
        "name": lesson.name,
        "number": lesson.number,
        "title": lesson.title,
        "minutes": lesson.minutes,
        "language": lesson.language,
        "direction": lesson.direction,
    }
