"""Watch: type a prompt, see two models decode it round by round."""

from functools import partial
from typing import Any

import streamlit as st

from app import resources, session
from app.job import Status
from app.player.player import player
from app.polling import WAITING_S, polled
from app.room import leading, presenter
from app.screens import share, shared, strip
from app.text import plain
from specviz.wire import Lane

_POLL_S = 0.15


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
    shared.sidebar()
    with problem:
        shared.problem()
    with prompt:
        _prompt_box()
    if not session.talk():
        with below:
            shared.plays()
    session.write_address()


def _stage() -> None:
    """The player, polled while the run is live."""
    job = session.job()
    live = job is not None and not job.over
    waits = job is not None and resources.jobs().queue_position(job) > 0
    polled(partial(_show_run, live=live, waits=waits), (WAITING_S if waits else _POLL_S) if live else None)


def _show_run(*, live: bool, waits: bool) -> None:
    """The player. While a run is live it gets new data at every poll; when its turn has come, and when it is over, the page is rerun once.

    Args:
        waits: whether jobs of others were before it when the page was rendered.
    """
    job = session.job()
    if job is None:
        _play(session.opened())
        return
    if live and waits and not resources.jobs().queue_position(job):
        st.rerun()
    if live and not waits:
        resources.jobs().wait_for_rounds(job, _POLL_S)
    view = resources.jobs().view(job)
    if session.problem():
        pass  # what is wrong now stands above the stage, and the news of the run before are old
    elif job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    elif job.over and job.message:
        st.warning(plain(job.message), icon=":material/timer_off:")
    elif job.over and not job.rounds[Lane.SPECULATIVE]:
        st.info("Stopped before the first round, so there is nothing to show: press Run.", icon=":material/info:")
    _play(view)
    if live and job.over:
        session.visit()  # now, while nobody waits, and not before the first round of the next run
        st.rerun()


def _play(view: dict[str, Any]) -> None:
    led = resources.rooms().led_by(session.person())
    if led is None:
        player(view, talk=session.talk(), hide=session.hidden())
        return
    resources.rooms().show(led.code, view)
    lead, vote = partial(leading.report, led.code), partial(presenter.vote_key, led.code)
    player(view, talk=session.talk(), hide=session.hidden(), lead=lead, vote=vote)


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
