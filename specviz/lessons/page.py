"""A lesson as one HTML file: its text beside the player, with the recordings inside. It opens from disk and requests nothing.

The text is part of the page, so that it can be read without any script; the script only opens one section at a time and shows its
picture: the stage at a moment, or an explorable. The page's Content-Security-Policy is that of an exported recording: one script, the
page's style and the explorables', no text that becomes markup.
"""

import shlex
from html import escape
from typing import Any

from specviz.lessons.glossary import glossary_of
from specviz.lessons.learn_data import has_explorables, lesson_json, ui_words
from specviz.lessons.lesson import Lesson, Question, Step
from specviz.reporting.player.html_page import CODE, document_head, embedded_json, theme_variables
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.player.thinning import thinned, within
from specviz.trace.files import dump
from specviz.words import spoken, translate

_MAX_BYTES = 3_000_000
_ALTERNATIVES = (1_000_000, 5, 2, 1, 0)  # beside each token: the largest of these that leaves the page below its limit


def page(lesson: Lesson) -> str:
    """The file as text."""
    code = script("lesson")
    looks = theme_variables() + style("lesson")
    text = f'<main class="words">\n{_text(lesson)}</main>\n{_FOOT.format(made=escape(translate("made with specviz", lesson.language)))}'
    styles = [looks, style("explorables")] if has_explorables(lesson) else [looks]
    head = document_head(lesson.title, lesson.language, code, *styles, direction=lesson.direction)
    spare = _MAX_BYTES - len(head) - len(text) - len(code)
    data = within(spare, _ALTERNATIVES, lambda count: embedded_json(_data(lesson, count)))
    return f"{head}{text}{_DATA.format(data=data)}{CODE.format(code=code)}"


_FOOT = '<div class="picture"></div>\n<p class="made">{made}</p>\n'
_DATA = '<script type="application/json" id="lesson">{data}</script>\n'


def _data(lesson: Lesson, alternatives: int) -> dict[str, Any]:
    screen = lesson_json(lesson, recording_json=lambda recording: dump(thinned(recording.traces, alternatives)))
    return {
        "views": {
            name: {**view, "id": f"lesson-{name}", "status": "exported"} for name, view in screen["views"].items()
        },
        **{name: screen[name] for name in ("dots", "costs", "sheet")},
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


def _text(lesson: Lesson) -> str:
    words = ui_words(lesson.language)
    about = words["lesson"].format(number=lesson.number, minutes=f"{lesson.minutes:g}")
    sections = [_step(step, number, lesson, words) for number, step in enumerate(lesson.steps, start=1)]
    first = len(sections) + 1
    sections += [_question(question, first + index, words) for index, question in enumerate(lesson.questions)]
    sections.append(_try_it(lesson, len(sections) + 1, words))
    marks = "".join(
        f'<a class="lesson-mark" href="#step-{number}" aria-label="{escape(words["step"].format(number=number))}"></a>'
        for number in range(1, len(sections) + 1)
    )
    return (
        f'<header><p class="about">{escape(about)}</p>\n<h1>{escape(lesson.title)}</h1>\n<div class="intro">{lesson.intro}</div></header>\n'
        f"<noscript>{escape(words['needs_script'])}</noscript>\n{_analogy_buttons(lesson)}{''.join(sections)}"
        f'<nav><button type="button" data-by="-1">{escape(words["back"])}</button><span class="lesson-marks">{marks}</span>'
        f'<button type="button" data-by="1">{escape(words["next"])}</button></nav>\n'
    )


def _analogy_buttons(lesson: Lesson) -> str:
    buttons = "".join(
        f'<button type="button" data-analogy="{escape(analogy.name)}" aria-pressed="{"false" if index else "true"}">'
        f"{escape(analogy.name)}</button>"
        for index, analogy in enumerate(lesson.analogies)
    )
    return f'<div class="analogies">{buttons}</div>\n' if len(lesson.analogies) > 1 else ""


def _step(step: Step, number: int, lesson: Lesson, words: dict[str, str]) -> str:
    captions = "".join(
        f'<p class="analogy" data-analogy="{escape(analogy.name)}"{"" if index == 0 else " hidden"}>'
        f"{step.captions[analogy.name]}</p>\n"
        for index, analogy in enumerate(lesson.analogies)
        if analogy.name in step.captions
    )
    question = "" if step.question is None else f"<h3>{step.question.html}</h3>\n{_choices(step.question, words)}"
    return f'<section id="step-{number}">\n<h2>{step.title}</h2>\n{step.html}\n{captions}{question}</section>\n'


def _question(question: Question, number: int, words: dict[str, str]) -> str:
    kind = escape(words["question"])
    inside = f'<p class="about">{kind}</p>\n<h2>{question.html}</h2>\n{_choices(question, words)}'
    return f'<section id="step-{number}" data-asks="1">\n{inside}</section>\n'


def _choices(question: Question, words: dict[str, str]) -> str:
    buttons = "".join(
        f'<button type="button" class="lesson-choice" data-right="{int(choice.right)}">{choice.html}</button>\n'
        for choice in question.choices
    )
    outcome = "".join(f'<p class="outcome {kind}" hidden>{escape(words[kind])}</p>\n' for kind in ("right", "wrong"))
    because = f'<div class="because" hidden>{question.because}</div>\n'
    return f'<div class="choices">\n{buttons}</div>\n<div role="status">\n{outcome}{because}</div>\n'


def _try_it(lesson: Lesson, number: int, words: dict[str, str]) -> str:
    parameters = dict(lesson.try_it.parameters)
    command = ["specviz", "race" if lesson.try_it.screen == "race" else "run", str(parameters.pop("prompt", "Hello"))]
    for name, value in parameters.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            command.append(option)
        elif value is not False:
            command += [option, str(value)]
    end = f'<p class="ending">{lesson.ending.html}</p>\n' if lesson.ending.html else ""
    inside = f"{end}<h2>{escape(words['try'])}</h2>\n<p>{escape(words['try_how'])}</p>\n<pre>{escape(shlex.join(command))}</pre>\n"
    return f'<section id="step-{number}">\n{inside}</section>\n'
