"""Watch: type a prompt, see two models decode it round by round."""

from functools import partial
from typing import Any

import streamlit as st

from app import request_form, resources, session, visitor
from app.job import Status
from app.player.player import player
from app.room import presenter
from app.screens import settings, share, shared, strip
from app.text import plain
from specviz.wire import Lane


def screen() -> None:
    """The screen."""
    strip.apply(talk=session.talk())
    # Every part has a container of its own, so that none moves another when its size changes. The stage is rendered first: a new round
    # is sent while the rest of the page is still being made. Run comes last, since it reads what the sidebar shows.
    with st.container(gap="xsmall"):
        prompt, problem, stage, below = (st.container(gap="xsmall") for _ in range(4))
    with stage:
        _stage()
        presenter.beside_the_stage()
    shared.sidebar(length=settings.draft_length if session.talk() else _nothing)
    with problem:
        shared.problem()
    with prompt:
        _prompt_box()
    if not session.talk():
        with below:
            shared.plays()
    session.write_address()


def _nothing() -> None:
    """The draft length is beside Run."""


def _stage() -> None:
    """The player, which follows a live run by itself; when the run is over, it has the page rerun once."""
    job, view = session.job(), session.view()
    if job is None or view is None:
        _play(session.opened())
        return
    if session.problem():
        pass  # what is wrong now stands above the stage, and the news of the run before are old
    elif job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    elif job.over and job.message:
        st.warning(plain(job.message), icon=":material/timer_off:")
    elif job.over and job.recording is None and not job.rounds[Lane.SPECULATIVE]:
        st.info("Stopped before the first round, so there is nothing to show: press Run.", icon=":material/info:")
    _play(view)
    if job.over:
        session.visit()  # after the stage, and not before the first round of the next run


def _play(view: dict[str, Any]) -> None:
    show = partial(
        player,
        view,
        talk=session.talk(),
        hide=session.hidden(),
        able=session.drafters_of_stage(),
        suggested=request_form.take,
    )
    led = resources.rooms().led_by(visitor.person())
    if led is None:
        show()
        return
    presenter.show(led, view)
    show(lead=presenter.lead(led), vote=partial(presenter.vote_key, led.code))


def _prompt_box() -> None:
    """The prompt with Run and Stop; in a talk it folds into one line, so that the stage has the room."""
    if session.talk():
        shared.folded_prompt_box(lambda: shared.run_and_stop(_run, "content"))
    else:
        shared.prompt_box(_run, _more)


def _more() -> None:
    """Other controls of the stage, at the end of the row of prompts."""
    share.larger()
    share.controls()
    shared.begin_talk("Large type and nothing but the stage, for a room.")


def _run() -> None:
    """Request a run of what the page shows; where that is impossible the page shows why."""
    asked = shared.asked()
    if asked is not None:
        session.begin(asked)
