"""Watch: type a prompt, see two models decode it round by round."""

from functools import partial
from typing import Any

import streamlit as st

from app.classroom import bar, presenter, rooms, votes
from app.classroom.room import Room
from app.components.component import component, texts
from app.components.widgets import plain
from app.screens import opening, runs, share, shared
from app.server import resources
from app.server.job import Status
from app.state import choices, request_form, session, teaching, visitor
from app.state.page_state import PLAYER, component_value, page_state
from specviz.reporting.player.scripts import given, script, style
from specviz.wire import Lane

_player = component(PLAYER, script=script(PLAYER), style=style(PLAYER), html="<div class='stage'>\n</div>")


def screen() -> None:
    """The screen."""
    if (room := presenter.led()) is not None:
        session.resume(rooms.server_rooms().view(room.code))
    shared.sidebar(length=lambda: None)  # it is beside Run
    page_state().whole_page = True
    _between(choices.noted())
    if not teaching.on():
        runs.drawer()


@st.fragment
def _between(noted: dict[str, object]) -> None:
    """All but the sidebar and the drawer, which need not be rendered again when a run begins and when it is over.

    Args:
        noted: the choices that are rendered elsewhere.
    """
    state = page_state()
    expected = state.whole_page or state.stage_alone
    state.whole_page = state.stage_alone = False
    if not expected:
        st.rerun()
    # Every part has a container of its own, so that none moves another when its size changes. The stage is rendered first: a new round
    # is sent while the rest of the page is still being made.
    with st.container(gap="xsmall"):
        keys = ("above-stage", None, None, None)
        prompt, problem, stage, below = (st.container(gap="xsmall", key=key) for key in keys)
    with stage:
        _stage(presenter.led())
    with problem:
        shared.problem()
    with prompt:
        _prompt_box()
    if not teaching.on():
        with below:
            if page_state().job is not None or not session.awaits_run():
                shared.plays()
            shared.remembers()
    for name, default in noted.items():
        choices.note(name, default)
    session.write_address()


def _stays() -> None:
    """Nothing beside the stage changes with the run that begins or is over."""
    if not (teaching.on() or opening.shown() or runs.is_open() or session.problem()):
        page_state().stage_alone = resources.jobs().loaded(request_form.chosen_pair()) is not None


def _stage(room: Room | None) -> None:
    """The player, which follows a live run by itself; when the run is over, it has this part of the page rerun once."""
    job, view = page_state().job, session.view()
    if job is None or view is None:
        if shared.stage_says():
            with st.container(key="awaits-run"):
                waits = "Nothing has run with this prompt yet: press Run."
                st.info(plain(session.notice()) or waits, icon=":material/play_arrow:")
        else:
            _play(session.opened(), room)
        return
    if session.problem():
        pass  # what is wrong now stands above the stage, and the news of the run before are old
    elif job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    elif job.over and job.message:
        st.warning(plain(job.message), icon=":material/timer_off:")
    elif job.over and job.recording is None and not job.log[Lane.SPECULATIVE]:
        st.info("Stopped before the first round, so there is nothing to show: press Run.", icon=":material/info:")
    _play(view, room)
    if job.over:
        session.visit()  # after the stage, and not before the first round of the next run


def _play(view: dict[str, Any], room: Room | None) -> None:
    """Show a view, see `View` in json_types.ts, at a stable position so that it survives reruns."""
    hide = [part for part in session.hidden() if part in shared.STAGE]
    shown = {**view, "talk": teaching.on(), "hide": hide, "able": session.drafters_of_stage()}
    if room is None:
        shown["paired"] = not teaching.on()
        if opening.shown():  # the title would say the same
            shown |= {"title": False, "begin": {"run": view["id"], "clock": 0.0, "pace": "quick"}}
    else:
        presenter.show(room, view)
        begin = {"run": room.moment.run, "clock": room.moment.clock, "pace": room.moment.pace}
        begin = page_state().room.begin.setdefault(room.code, begin)  # as it was when this page came to the room
        shown |= {"title": False, "begin": begin, "leading": True, "lead": presenter.lead(room), "voting": True}
    if shown.get("recorded_at"):
        shown.pop("recording", None)  # the browser fetches it there, once
    begun = "" if opening.shown() else page_state().started_run.address(visitor.name())
    _player(
        key=PLAYER,
        data={"view": shown, "begun": begun, **given()},
        height="content",
        on_over_change=_stays,
        on_vote_change=partial(votes.vote_key, room.code) if room is not None else lambda: None,
        on_suggested_change=lambda: _try(texts(component_value(PLAYER, "suggested"))),
    )


def _prompt_box() -> None:
    """The prompt with Run and Stop; where the page teaches it folds into one line, so that the stage has the room."""
    if teaching.on():
        bar.bar(
            lambda: shared.folded_prompt_box(lambda: shared.run_and_stop(_run, "content")), notes=shared.prompt_notes()
        )
    else:
        shared.prompt_box(_run, _more)


def _more() -> None:
    """Other controls of the stage, at the end of the row of prompts."""
    runs.button()
    opening.button()
    share.controls()
    bar.begin("The stage")


def _try(change: dict[str, str]) -> None:
    """Run what the card at the end of a run suggests."""
    request_form.take(change)
    _run()


def _run() -> None:
    """Request a run of what the page shows; where that is impossible the page shows why."""
    request = shared.requested_run()
    if request is not None:
        session.begin(request)
    _stays()
