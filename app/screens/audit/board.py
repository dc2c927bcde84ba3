"""An audit on a screen: the verdict, the histogram that grows, the checks, what the audit would have found, and its file."""

import streamlit as st

from app.components.widgets import LIVE_S, plain, save_button
from app.screens.audit import picture
from app.server import resources
from app.server.job import Job, Status
from app.server.job_queue import waiting_words
from app.state import audits
from specviz.audit.messages import CHECKS, AuditProgress, CheckLine, decode
from specviz.audit.records import CATCHES

_WAITING_LINES = tuple(CheckLine(check) for check in CHECKS)
_WAITING = "The histogram appears when the first runs are made."


def board(task: str, job: Job | None, *, stacked: bool = False) -> None:
    """The audit of this job, followed while it is live; without one, what the checks can catch. `stacked`: the checks
    below the histogram, not beside it."""
    if job is None:
        st.html(picture.checks(_WAITING_LINES, CATCHES))
        return
    live = not job.over
    with st.container(key=f"{task}-board"):
        st.fragment(_show, run_every=LIVE_S if live else None)(job, live=live, stacked=stacked)
    if not live:
        _save(task, job)


def _show(job: Job, *, live: bool, stacked: bool) -> None:
    over, sent = job.over, job.report  # in this order, so that what is over has its last report
    report = decode(AuditProgress, sent) if sent else AuditProgress("", "", _WAITING_LINES)
    _verdict(job, report)
    left, right = (st.container(), st.container()) if stacked else st.columns([7, 5], gap="large")
    with left:
        if report.runs:
            st.html(picture.histogram(report))
            st.caption(_caption(report))
        else:
            st.html(picture.mark(report.mark))
            st.caption(_WAITING if not over else "No first token was counted, so there is no histogram.")
    with right:
        st.html(picture.checks(report.lines, CATCHES))
        if power := picture.power(report):
            st.markdown(
                plain(power),
                help="Simulated with the exact p of the first token: the least over the tried directions of a bias.",
            )
    if live and over:
        st.rerun()


def _verdict(job: Job, report: AuditProgress) -> None:
    """The verdict, and why the audit has not begun or has ended early."""
    if job.status is Status.QUEUED:
        queue = resources.jobs()
        position = queue.queue_position(job)
        line = (
            f"Waiting in line: {waiting_words(position, queue.wait_s(job))}." if position else "Waiting for the engine."
        )
        st.info(line, icon=":material/hourglass:")
        return
    if job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    elif job.over and job.message:
        st.warning(plain(job.message), icon=":material/timer_off:")
    if not job.over and (what := job.what) and not job.report:
        st.info(plain(f"{what[0].upper()}{what[1:]} …"), icon=":material/hourglass:")
        return
    if job.report or not job.over:
        st.html(f'<p class="audit-verdict" role="status">{picture.verdict(report)}</p>')


def _caption(report: AuditProgress) -> str:
    sure = next((bar for bar in report.bars if bar.p > 0.9), None)
    words = f"{report.runs} real runs, each with a seed of its own, after: {plain(report.prompt)}"
    if sure is None:
        return words
    return f"{words} · The target is nearly sure of this token: after another prompt there is more to see."


def _save(task: str, job: Job) -> None:
    file = decode(AuditProgress, job.report).saved if job.report else ""
    if file:
        meaning = "The report as `specviz audit --json` prints it (specviz.audit/1)."
        save_button("Save JSON", file, f"{task}.json", "data_object", key=f"save-{task}", help=meaning)


def stop_button(task: str) -> None:
    """Stop, where there is something to stop."""
    job = audits.current(task)
    idle = job is None or not audits.stoppable(job)
    st.button("Stop", key=f"stop-{task}", icon=":material/stop:", on_click=audits.stop, args=(task,), disabled=idle)
