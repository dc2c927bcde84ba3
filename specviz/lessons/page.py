"""A lesson as one HTML file: its text beside the player, with the recordings inside. It opens from disk and requests nothing.

The text is part of the page, so that it can be read without any script; the script only opens one section at a time and shows its
picture: the stage at a moment, or an explorable. The page's Content-Security-Policy is that of an exported recording: one script, the
page's style and the explorables', no text that becomes markup.
"""

import shlex
from functools import partial
from typing import Any

from specviz.lessons.glossary import glossary_of
from specviz.lessons.learn_data import has_explorables, lesson_json, ui_words
from specviz.lessons.lesson import Lesson
from specviz.reporting.player.html_page import document, embedded_json, theme_variables
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.player.thinning import thinned, within
from specviz.reporting.templates import html_from
from specviz.trace.files import dump
from specviz.words import spoken, translate

_MAX_BYTES = 3_000_000


def page(lesson: Lesson) -> str:
    """The file as text."""
    code = script("lesson")
    looks = theme_variables() + style("lesson")
    made = translate("made with specviz", lesson.language)
    words = ui_words(lesson.language)
    text = html_from("lessons/page.html", lesson=lesson, words=words, command=_command(lesson), made=made)
    styles = [looks, style("explorables")] if has_explorables(lesson) else [looks]
    make = partial(
        document, lesson.title, lesson.language, text, code, *styles, data_id="lesson", direction=lesson.direction
    )
    return make(data=within(_MAX_BYTES - len(make()), lambda count: embedded_json(_data(lesson, count))))


def _command(lesson: Lesson) -> str:
    """The command that does what the lesson's last button does on the page."""
    parameters = dict(lesson.try_it.parameters)
    command = ["specviz", "race" if lesson.try_it.screen == "race" else "run", str(parameters.pop("prompt", "Hello"))]
    for name, value in parameters.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            command.append(option)
        elif value is not False:
            command += [option, str(value)]
    return shlex.join(command)


def _data(lesson: Lesson, alternatives: int) -> dict[str, Any]:
    screen = lesson_json(lesson, recording_json=lambda recording: dump(thinned(recording.traces, alternatives)))
    return {
        "views": {
            name: {**view, "id": f"lesson-{name}", "status": "exported"} for name, view in screen["views"].items()
        },
        **{name: screen[name] for name in ("dots", "costs", "sheets")},
        "sections": [
            {
                "picture": page["picture"],
                "place": page["place"],
                "answer": page["question"] and page["question"]["answer"],
            }
            for page in lesson.pages()
        ],
        "glossary": [entry.as_json() for entry in glossary_of(lesson.language)],
        **given(),
        "spoken": spoken(lesson.language),
    }
