"""Watch: type a prompt, see two models decode it round by round."""

import streamlit as st

from app import session
from app.player.player import player
from app.runs import Status
from app.screens import parts
from app.text import plain

_POLL_S = 0.15


def screen() -> None:
    """The whole screen."""
    parts.sidebar()
    # Every part has a container of its own, so that none moves another when it grows or shrinks.
    for part in (_prompt_box, parts.problem, _stage):
        with st.container():
            part()


def _stage() -> None:
    """The player, polled while the run is live."""
    job = session.job()
    live = job is not None and not job.over
    st.fragment(_show_run, run_every=_POLL_S if live else None)(live=live)


def _show_run(*, live: bool) -> None:
    """The player. While a run is live it is fed again and again; when the run is over the page settles once."""
    job = session.job()
    if job is None:
        player({"id": "shipped", "status": "shipped", "recording": session.shipped_recording()})
        return
    if live:
        session.runs().wait_for_rows(job, _POLL_S)
    view = session.runs().view(job)
    if job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    player(view)
    if live and job.over:
        st.rerun()


def _prompt_box() -> None:
    box, buttons = st.columns([6, 1], vertical_alignment="center", gap="small")
    with box:
        parts.prompt_text()
    with buttons:
        st.button("Run", type="primary", icon=":material/play_arrow:", on_click=_run, width="stretch")
        st.button("Stop", icon=":material/stop:", on_click=session.stop, disabled=not session.live(), width="stretch")
    parts.ready_made()


def _run() -> None:
    """Ask for a run of what stands on the page; a setting that cannot be is said instead."""
    asked = parts.asked()
    if asked is not None:
        session.set_job(session.runs().run(**asked))
