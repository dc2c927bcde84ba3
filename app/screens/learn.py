"""Learn: chapters in which every sentence stands beside the moment of a recorded run that it speaks of."""

import streamlit as st

from app import address, language, request_form, run_description, session, teaching, widget_state
from app.lessons import opened
from app.lessons.glossary_and_handout import GLOSSARY, extras
from app.lessons.mount import learn
from app.room import bar, desk
from app.screens import elsewhere
from specviz import words
from specviz.known_pairs import EMBEDDED
from specviz.lessons.files import own_folder
from specviz.lessons.folder import Contents
from specviz.lessons.learn_data import screen_json, ui_words
from specviz.lessons.lesson import Lesson
from specviz.lessons.page import page

_LESSON, _STEP = "lesson", "step"
_PARAMETERS = (_LESSON, _STEP, language.PARAMETER, teaching.TEACH, teaching.NOTES)
_LEAVES, _SHARED = "_learn_leaves", "_learn_shared"
_LONGEST = 40


def screen() -> None:
    """The screen."""
    if st.session_state.pop(_LEAVES, False):
        _leave()
    if teaching.on():
        with st.container(key="over-lesson"):
            bar.bar()
    contents = opened.contents()
    _show(contents)
    if own_folder() is not None:
        _rerun_on_change(contents)
    if step := st.session_state.pop(_SHARED, ""):
        _share_step(step)


# ------------------------------------------------------------------ what is shown


def _lesson() -> Lesson | None:
    """The lesson of the address, where there is one."""
    name = st.query_params.get(_LESSON, "")
    return opened.contents().lesson(name, language.asked()) if name else None


def open_lesson(name: str) -> None:
    """Leave the page that is shown for the first step of a lesson."""
    st.switch_page(session.screens()[session.LEARN], query_params={_LESSON: name, _STEP: "1"})


@st.fragment(run_every=1.0)
def _rerun_on_change(contents: Contents) -> None:
    """Render the page again when a file of one's own lessons has changed."""
    if opened.contents() != contents:
        st.rerun()


def _show(contents: Contents) -> None:
    lesson = _lesson()
    asked = language.asked()
    languages = opened.languages(lesson, contents)
    spoken = asked if any(each["code"] == asked for each in languages) else language.now()
    name = st.query_params.get(_LESSON, "")
    room = desk.led()
    learn(
        {
            **opened.of(lesson, contents, talk=teaching.on()),
            **extras(lesson, name, spoken),
            **screen_json(contents, spoken, talk=teaching.on(), notes=teaching.notes()),
            "languages": languages,
            "problem": _problem(name, asked, lesson, contents),
            "words": ui_words(lesson.language if lesson else spoken),
        },
        go=_go,
        try_it=_try_it,
        share=_share,
        lead=None if room is None else desk.lead(room),
    )


def _problem(name: str, asked: str, lesson: Lesson | None, contents: Contents) -> str:
    """One sentence on what the address names and the page does not have; empty when all is well."""
    short = name if len(name) <= _LONGEST else name[:_LONGEST] + "…"
    if name == GLOSSARY and lesson is None:
        return ""
    if name and lesson is None:
        known = ", ".join(dict.fromkeys(each.name for each in contents.lessons))
        return f"The address names the lesson {short!r}, which is not here: there is {known or 'none'}."
    if lesson is not None and lesson.language != asked:
        spoken = asked if len(asked) <= _LONGEST else asked[:_LONGEST] + "…"
        return f"There is no {short} in the language {spoken!r}: this is the one in {words.name(lesson.language)}."
    return ""


# ------------------------------------------------------------------ where the reader goes


def _go(query: dict[str, str]) -> None:
    """Write the page that the reader wants into the address."""
    wanted = {**language.parameters(), **address.bounded(query)}
    st.query_params.from_dict({name: wanted[name] for name in _PARAMETERS if wanted.get(name)})


def _share(shown: dict[str, str]) -> None:
    st.session_state[_SHARED] = shown.get(_STEP, "1")


@st.dialog("Save and share")
def _share_step(step: str) -> None:
    """The open chapter as a page, and the code that shows one of its steps in another page."""
    lesson = _lesson()
    if lesson is None:
        return
    spoken = "" if lesson.language == words.ENGLISH else f"{lesson.language}/"
    elsewhere.page_button(lesson.name, page(lesson).encode())
    elsewhere.frame(lesson.name, f"step-{step}", f"{spoken}learn/{lesson.name}/{step}")


def _try_it() -> None:
    st.session_state[_LEAVES] = True


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
    widget_state.replace(wanted)
    there = session.screens()[session.RACE if lesson.try_it.screen == "race" else session.WATCH]
    st.switch_page(there, query_params=teaching.parameters())
