"""Learn: chapters whose words stand beside a recorded run, held at the moment that they describe."""

import streamlit as st

from app.classroom import bar, presenter
from app.components.component import component, texts
from app.screens import elsewhere
from app.stage import lessons, run_description
from app.stage.lessons import GLOSSARY, glossary_and_handout
from app.state import address, choices, language, request_form, session, teaching
from app.state.address import LESSON, STEP
from app.state.page_state import LEARN, component_value, page_state, set_later
from specviz import words
from specviz.known_pairs import EMBEDDED
from specviz.lessons.files import own_folder
from specviz.lessons.folder import Contents
from specviz.lessons.learn_data import screen_json, ui_words
from specviz.lessons.lesson import Lesson
from specviz.lessons.page import page
from specviz.reporting.player.scripts import given, script, style

_PARAMETERS = (LESSON, STEP, address.LANGUAGE, address.TEACH, address.NOTES)
_LONGEST = 40
_learn = component(LEARN, script=script(LEARN), style=style(LEARN), html="<div class='learn'></div>")


def screen() -> None:
    """The screen."""
    state = page_state()
    if state.to_try:
        state.to_try = False
        _leave()
    if teaching.on():
        with st.container(key="over-lesson" if _lesson() is not None else "over-chapters"):
            bar.bar()
    contents = lessons.contents()
    _show(contents)
    if own_folder() is not None:
        _rerun_on_change(contents)
    step, state.shared_step = state.shared_step, ""
    if step:
        _share_step(step)


# ------------------------------------------------------------------ what is shown


def _lesson() -> Lesson | None:
    """The lesson of the address, where there is one."""
    name = address.parameter(LESSON)
    return lessons.contents().lesson(name, language.of_lessons()) if name else None


def open_lesson(name: str) -> None:
    """Leave the page that is shown for the first step of a lesson."""
    st.switch_page(page_state().screens[session.LEARN], query_params={LESSON: name, STEP: "1"})


@st.fragment(run_every=1.0)
def _rerun_on_change(contents: Contents) -> None:
    """Render the page again when a file of one's own lessons has changed."""
    if lessons.contents() != contents:
        st.rerun()


def _show(contents: Contents) -> None:
    lesson = _lesson()
    language_ = language.of_lessons()
    languages = lessons.languages(lesson, contents)
    shown_language = language_ if any(offered["code"] == language_ for offered in languages) else language.now()
    name = address.parameter(LESSON)
    lead = None if (room := presenter.led()) is None else presenter.lead(room)
    _learn(
        key=LEARN,
        data={
            **lessons.open_lesson_data(lesson, talk=teaching.on()),
            **glossary_and_handout(lesson, name, shown_language),
            **screen_json(contents, shown_language, talk=teaching.on(), notes=teaching.notes()),
            "languages": languages,
            "problem": _problem(name, language_, lesson, contents),
            "words": ui_words(lesson.language if lesson else shown_language),
            "lead": lead,
            **given(),
        },
        height="content",
        on_go_change=lambda: _go(texts(component_value(LEARN, "go"))),
        on_try_change=set_later("to_try", True),
        on_share_change=lambda: _share(texts(component_value(LEARN, "share"))),
    )


def _problem(name: str, language_: str, lesson: Lesson | None, contents: Contents) -> str:
    """One sentence on what the address names and the page does not have; empty when all is well."""
    short = name if len(name) <= _LONGEST else name[:_LONGEST] + "…"
    if name == GLOSSARY and lesson is None:
        return ""
    if name and lesson is None:
        names = ", ".join(dict.fromkeys(lesson_.name for lesson_ in contents.lessons))
        return f"The address names the lesson {short!r}, which is not here: there is {names or 'none'}."
    if lesson is not None and lesson.language != language_:
        spoken = language_ if len(language_) <= _LONGEST else language_[:_LONGEST] + "…"
        return f"There is no {short} in the language {spoken!r}: this is the one in {words.name(lesson.language)}."
    return ""


# ------------------------------------------------------------------ where the reader goes


def _go(query: dict[str, str]) -> None:
    """Write the page that the reader wants into the address."""
    wanted = {**language.parameters(), **address.bounded(query)}
    address.replace({name: wanted[name] for name in _PARAMETERS if wanted.get(name)})


def _share(sent: dict[str, str]) -> None:
    page_state().shared_step = sent.get(STEP, "1")


@st.dialog("Save and share")
def _share_step(step: str) -> None:
    """The open chapter as a page, and the code that shows one of its steps in another page."""
    lesson = _lesson()
    if lesson is None:
        return
    spoken = "" if lesson.language == words.ENGLISH else f"{lesson.language}/"
    elsewhere.page_button(lesson.name, page(lesson).encode())
    elsewhere.frame(lesson.name, f"step-{step}", f"{spoken}learn/{lesson.name}/{step}")


def _leave() -> None:
    """Open Watch or Race with the lesson's settings; every other setting at its default."""
    lesson = _lesson()
    if lesson is None:
        return
    wanted = address.read(
        {name: address.written(name, value) for name, value in lesson.try_it.parameters.items()}
    ).values
    recorded = lesson.recordings[0].run.card.target.name if lesson.recordings else ""
    if run_description.family_of(recorded) == EMBEDDED:
        wanted.setdefault(request_form.PAIR, EMBEDDED)
    choices.replace(wanted)
    state = page_state()
    state.prompt_linked, state.basis = (
        request_form.PROMPT in wanted,
        None,
    )  # as if a link had brought it: nothing has run with it
    there = page_state().screens[session.RACE if lesson.try_it.screen == "race" else session.WATCH]
    st.switch_page(there, query_params=teaching.parameters())
