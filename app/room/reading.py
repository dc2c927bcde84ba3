"""A lesson in a room as it is shown: the presenter's page on the phones, and the vote beside the presenter's lesson."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from app import resources, visitor
from app.following import followed
from app.lessons import opened
from app.room import pages, parts
from app.room.acts import attempt, change, refusal
from specviz.errors import InputError
from specviz.lessons.glossary import glossary_of
from specviz.lessons.ui_text import words_of
from specviz.rooms import room as rooms
from specviz.rooms.polls import PollState
from specviz.rooms.room import Room

_DESK = "room-desk"
_STYLE = f"""<style>
.st-key-{_DESK} .room-question {{ display: none; }}
@media (min-width: 900px) {{
  .st-key-{_DESK} {{
    position: fixed; inset-inline-end: 2rem; bottom: 0.6rem; z-index: 90; width: auto; max-width: 33rem; padding: 0.3rem 0.9rem;
    background: var(--st-background-color, Canvas); border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 0.7rem;
    box-shadow: 0 4px 18px rgb(0 0 0 / 0.18);
  }}
  .st-key-{_DESK}:has(.room-votes) {{ width: 33rem; padding-block: 0.7rem; }}
}}
</style>"""
"""The desk floats above the picture's lower corner, where nothing of a lesson has to be read: a lesson fills the window, and must not scroll."""


def desk(code: str) -> None:
    """What the presenter of a room has beside a lesson: who is here, the vote, and the question of the page."""
    followed(partial(_desk, code), resources.rooms().desk(code), "desk")


def lesson(name: str, language: str) -> dict[str, Any] | None:
    """What a phone is given of a lesson that the presenter reads, see `LearnData` in types.d.ts; None where there is none of that name."""
    contents = opened.contents()
    found = contents.lesson(name, language)
    if found is None:
        return None
    return {
        **opened.of(found, contents, talk=False),
        "languages": [],
        "glossary": [entry.as_json() for entry in glossary_of(found.language)],
        "glossary_open": False,
        "glossary_language": found.language,
        "handout": "",
        "chapters": [],
        "problems": [],
        "problem": "",
        "words": words_of(found.language),
        "talk": False,
        "present": False,
    }


def _desk(code: str) -> None:
    now = resources.rooms().led_by(visitor.person())
    if now is None or now.code != code:
        return
    st.html(parts.STYLE + _STYLE)
    with st.container(key=_DESK, gap="small"):
        _acts(now)
        if now.poll is not None:
            st.html(parts.votes(now.poll, shown=now.poll.state is not PollState.OPEN))
        refusal()


def _acts(now: Room) -> None:
    """Who is here, and what the presenter can do now."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        here = now.here(resources.rooms().now())
        st.markdown(f":material/co_present: Room **{now.code}** · {here} here", width="content")
        poll = now.poll
        if poll is not None and poll.state is not PollState.RESOLVED:
            if poll.state is PollState.OPEN:
                _button("Close the vote", ":material/block:", now.code, rooms.close_poll)
            if poll.truth is not None:
                _button("Show the answer", ":material/done:", now.code, _resolve)
            return
        if poll is not None:
            _button("Done", ":material/check:", now.code, rooms.clear)
        elif pages.question_of(now.moment.page) is not None:
            _button("Ask the room", ":material/how_to_vote:", now.code, _ask)


def _button(label: str, icon: str, code: str, do: Callable[[Room, str, float], Room]) -> None:
    def act() -> None:
        change(code, lambda now, when: do(now, visitor.person(), when))

    st.button(label, icon=icon, key=f"reading-{label}", on_click=attempt, args=(act,))


def _ask(now: Room, secret: str, when: float) -> Room:
    if now.moment.page is None:
        raise InputError("No lesson is open: open one in Learn first.")
    return rooms.ask(now, secret, pages.poll_of(now.moment.page), when)


def _resolve(now: Room, secret: str, when: float) -> Room:
    known = None if now.poll is None else now.poll.truth
    if known is None:
        raise InputError("The page does not answer this question: close the vote instead.")
    return rooms.resolve(now, secret, known, when)
