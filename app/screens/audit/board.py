"""An audit on a screen: the verdict, the histogram that grows, the checks, what the audit would have found, and its file."""

import streamlit as st

from app.components.markdown import plain
from app.components.timed import LIVE_S
from app.screens.audit import picture
from app.server import resources
from app.server.job import Job, JobSnapshot, Status
from app.server.job_queue import waiting_words
from app.state import audits
from specviz.audit.messages import CHECKS, AuditProgress, CheckLine, decode
from specviz.audit.records import CATCHES

_WAITING_LINES = tuple(CheckLine(check) for check in CHECKS)
_WAITING = "The histogram appears when the first runs are made."


def board(task: str, job: Job | None, *, stacked: bool = False) -> None:
    """The audit of this job, followed while it is live; without one, what the checks can catch.

    Args:
        stacked: the checks below the histogram, not beside it.
    """
    if job is None:
        st.html(picture.checks(_WAITING_LINES, CATCHES))
        return
    live = not resources.jobs().snapshot(job).status.over
    with st.container(key=f"{task}-board"):
        st.fragment(_show, run_every=LIVE_S if live else None)(job, live=live, stacked=stacked)
    if not live:
        _save(task, job)


def _show(job: Job, *, live: bool, stacked: bool) -> None:
    state = resources.jobs().snapshot(job)
    report = decode(AuditProgress, state.report) if state.report else AuditProgress("", "", _WAITING_LINES)
    _verdict(state, report)
    left, right = (st.container(), st.container()) if stacked else st.columns([7, 5], gap="large")
    with left:
        if report.runs:
            st.html(picture.histogram(report))
            st.caption(_caption(report))
        else:
            st.html(picture.mark(report.mark))
            st.caption(_WAITING if not state.status.over else "No first token was counted, so there is no histogram.")
    with right:
        st.html(picture.checks(report.lines, CATCHES))
        if power := picture.power(report):
            st.markdown(
                plain(power),
                help="Simulated with the exact p of the first token: the least over the tried directions of a bias.",
            )
    if live and state.status.over:
        st.rerun()


def _verdict(state: JobSnapshot, report: AuditProgress) -> None:
    """The verdict, and why the audit has not begun or has ended early."""
    if state.status is Status.QUEUED:
        position = state.queue_position
        st.info(
            f"Waiting in line: {waiting_words(position, state.wait_s)}." if position else "Waiting for the engine.",
            icon=":material/hourglass:",
        )
        return
    if state.status is Status.FAILED:
        st.error(plain(state.message), icon=":material/error:")
    elif state.status.over and state.message:
        st.warning(plain(state.message), icon=":material/timer_off:")
    if not state.status.over and state.what and not state.report:
        st.info(plain(f"{state.what[0].upper()}{state.what[1:]} …"), icon=":material/hourglass:")
        return
    if state.report or not state.status.over:
        st.html(f'<p class="audit-verdict" role="status">{picture.verdict(report)}</p>')


def _caption(report: AuditProgress) -> str:
    sure = next((bar for bar in report.bars if bar.p > 0.9), None)
    words = f"{report.runs} real runs, each with a seed of its own, after: {plain(report.prompt)}"
    if sure is None:
        return words
    return f"{words} · The target is nearly sure of this token: after another prompt there is more to see."


def _save(task: str, job: Job) -> None:
    report = resources.jobs().snapshot(job).report
    file = decode(AuditProgress, report).saved if report else ""
    if file:
        st.download_button(
            "Save JSON",
            file,
            f"{task}.json",
            "application/json",
            key=f"save-{task}",
            icon=":material/data_object:",
            help="The report as `specviz audit --json` prints it (specviz.audit/1).",
            on_click="ignore",
        )


def stop_button(task: str) -> None:
    """Stop, where there is something to stop."""
    job = audits.current(task)
    idle = job is None or not audits.stoppable(job)
    st.button("Stop", key=f"stop-{task}", icon=":material/stop:", on_click=audits.stop, args=(task,), disabled=idle)
