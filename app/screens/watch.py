"""Watch: type a prompt, see two models decode it round by round."""

from functools import partial
from typing import Any

import streamlit as st

from app import session
from app.jobs import Status
from app.player.player import player
from app.polling import polled
from app.screens import share, shared, strip
from app.text import plain

_POLL_S = 0.15


def screen() -> None:
    """The whole screen."""
    strip.apply(talk=session.talk())
    # Every part has a container of its own, so that none moves another when it grows or shrinks. The stage is written first: a new round
    # is on its way while the rest of the page is still being made. Run comes last, since what it asks for stands in the sidebar.
    with st.container(gap="xsmall"):
        prompt, problem, stage = (st.container(gap="xsmall") for _ in range(3))
    with stage:
        _stage()
    with problem:
        shared.problem()
    shared.sidebar()
    with prompt:
        _prompt_box()


def _stage() -> None:
    """The player, polled while the run is live."""
    job = session.job()
    live = job is not None and not job.over
    polled(partial(_show_run, live=live), _POLL_S if live else None)


def _show_run(*, live: bool) -> None:
    """The player. While a run is live it is fed again and again; when the run is over the page settles once."""
    job = session.job()
    if job is None:
        _play(session.opened())
        return
    if live:
        session.runs().wait_for_rows(job, _POLL_S)
    view = session.runs().view(job)
    if job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    _play(view)
    if live and job.over:
        session.visit()  # now, while nobody waits, and not before the first round of the next run
        st.rerun()


def _play(view: dict[str, Any]) -> None:
    player(view, talk=session.talk(), hide=session.hidden())


def _prompt_box() -> None:
    """The prompt with Run and Stop; in a talk it folds into one line, so that the stage has the room."""
    if session.talk():
        shared.folded_prompt_box(lambda: shared.run_and_stop(_run, "content"))
    else:
        shared.prompt_box(_run, _more)


def _more() -> None:
    """What else can be done with the stage, at the end of the row of prompts."""
    share.controls()
    shared.begin_talk("Large type and nothing but the stage, for a room.")


def _run() -> None:
    """Ask for a run of what stands on the page; a setting that cannot be is said instead."""
    asked = shared.asked()
    if asked is not None:
        session.set_job(session.runs().run(**asked))
