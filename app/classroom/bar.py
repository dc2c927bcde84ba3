"""Teach: one bar over Learn, Watch and Race, whose page is then in large type: controls, the room, the plan with its timer, notes."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from app.classroom import presenter, votes
from app.classroom.plan import PLAN, index_of
from app.components.component import component
from app.stage import lessons
from app.state import address, language, session, teaching, visitor
from app.state.page_state import PLAN as PLAN_KEY
from app.state.page_state import component_value, page_state
from specviz.reporting.player.scripts import script, style

_plan_sheet = component("plan", script=script("plan"), style=style("plan"), html="<div class='plan'></div>")


def begin(where: str) -> None:
    """The button that begins to teach with this screen. `where`: what is shown large."""
    st.button(
        "Teach",
        icon=":material/co_present:",
        help=f"{where} in large type, a room for phones and votes, notes, and a plan for 45 minutes.",
        on_click=teaching.switch,
        args=(True,),
        key="begin-teach",
    )


def bar(controls: Callable[[], None] = lambda: None, *, notes: str = "") -> None:
    """The bar.

    Args:
        controls: renders those of the screen.
        notes: what the presenter may say; "" where the screen shows notes itself.
    """
    visitor.take_host_key()
    _go()
    lesson = page_state().screen == session.LEARN
    with st.container(key="teach-bar", horizontal=True, gap="xsmall", vertical_alignment="center"):
        controls()
        _screens()
        st.space("stretch")
        if (room := presenter.led()) is not None and page_state().screen != session.RACE:
            votes.ask_button(room, lesson=lesson)
        presenter.popover()
        _plan()
        notes_on = teaching.notes()
        st.button(
            "Notes",
            key="teach-notes",
            type="primary" if notes_on else "secondary",
            help="Show or hide what you may say. The room sees them where this screen is projected; its own window has none.",
            on_click=partial(teaching.switch, True, notes=not notes_on),
        )
        st.button("Leave", key="leave-teach", on_click=partial(teaching.switch, False))
        if room is not None:
            votes.floating(room, lesson=lesson)
    if notes_on and not lesson:
        st.markdown(f":material/speaker_notes: {notes or 'No notes for this prompt.'} {_next()}")


def _screens() -> None:
    """The way to the other screens that can be taught with, and from a chapter to all of them."""
    for title, screen in page_state().screens.items():
        if title != page_state().screen or address.parameter(address.LESSON):
            st.page_link(screen, label=title, query_params=teaching.parameters())


# ------------------------------------------------------------------ the plan


def _here() -> int:
    """The part of the plan that is open: the one that was gone to last, else the first of another chapter; -1 for none."""
    lesson = address.parameter(address.LESSON) if page_state().screen == session.LEARN else ""
    part = page_state().room.part
    return part if not lesson or (part >= 0 and PLAN[part].lesson == lesson) else index_of(lesson)


def _plan() -> None:
    """The plan, see `PlanPart` in lesson_plan.ts; the next rerun goes to the part that is chosen."""
    parts = [
        {"begins": part.begins, "ends": part.ends, "title": _title(part.lesson), "what": part.what} for part in PLAN
    ]

    def chosen() -> None:
        index = component_value(PLAN_KEY, "go")
        if isinstance(index, int) and 0 <= index < len(PLAN):
            page_state().room.chosen_part = index

    data = {"parts": parts, "here": _here()}
    _plan_sheet(key=PLAN_KEY, data=data, height="content", width="content", on_go_change=chosen)


def _title(lesson: str) -> str:
    chapter = lessons.contents().lesson(lesson, language.now()) if lesson else None
    return chapter.title if chapter is not None else lesson or session.RACE


def _go() -> None:
    """Go to the part of the plan that was just chosen."""
    state = page_state().room
    index, state.chosen_part = state.chosen_part, None
    if index is None:
        return
    state.part = index
    part = PLAN[index]
    query = teaching.parameters()
    if part.lesson:
        query |= {address.LESSON: part.lesson, address.STEP: str(part.step)}
    st.switch_page(page_state().screens[session.LEARN if part.lesson else session.RACE], query_params=query)


def _next() -> str:
    after = _here() + 1
    return f"**Next:** {_title(PLAN[after].lesson)}" if 0 < after < len(PLAN) else ""
