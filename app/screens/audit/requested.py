"""The audits of one visitor's page: requested, found again by their names in the address, stopped."""

from typing import TypeVar

import streamlit as st

from app.server import resources
from app.server.job import Job
from app.state import visitor
from specviz.audit.asked import AuditAsked, ExhibitAsked, read, written
from specviz.request import PairAsked
from specviz.wire import Perform

_JOB, _GONE = "_audit_job", "_audit_gone"
T = TypeVar("T")


def arrive(task: str) -> None:
    """Take the audit that the address names, where the server still has it: after a reload the page shows what it showed."""
    name, known = st.query_params.get(task, ""), current(task)
    if known is not None and name in ("", known.id):
        st.query_params[task] = known.id
        return
    found = resources.jobs().find_task(name, task) if name else None
    st.session_state[f"{_GONE}-{task}"] = bool(name) and found is None
    if found is None:
        return
    if not found.over and own(found):
        resources.jobs().watch(found, visitor.watched())
    _set(task, found)


def current(task: str) -> Job | None:
    """The audit that the screen of this task shows."""
    found: Job | None = st.session_state.get(f"{_JOB}-{task}")
    return found


def notice(task: str) -> str:
    """That the audit of the address is gone; "" where it is not."""
    if not st.session_state.get(f"{_GONE}-{task}"):
        return ""
    return "The audit of this link is no longer on the server, which keeps the latest ones only. Start a new one."


def begin(task: str, pair: PairAsked | None, asked: AuditAsked | ExhibitAsked) -> None:
    """Request an audit. One that waits or has just begun goes on instead where the same was asked for: many quick clicks are one audit."""
    known = current(task)
    if known is not None:
        if (
            not known.over
            and known.cancelled_at is None
            and (known.pair, asked_of(known, type(asked))) == (pair, asked)
        ):
            return
        stop(task)
    job = resources.jobs().perform(pair, task, written(asked), watched=visitor.watched(), visitor=visitor.name())
    st.session_state[f"{_GONE}-{task}"] = False
    _set(task, job)
    st.query_params[task] = job.id


def asked_of(job: Job, kind: type[T]) -> T:
    """What was asked for."""
    assert isinstance(job.command, Perform), "only a task was asked for so"
    return read(kind, job.command.asked)


def stop(task: str) -> None:
    """End the audit; what was found so far stays. Not one of somebody else, whose link was followed."""
    known = current(task)
    if known is not None and stoppable(known):
        resources.jobs().cancel(known)


def stoppable(known: Job) -> bool:
    """Whether Stop would end it."""
    return not known.over and own(known)


def own(known: Job) -> bool:
    """Whether this visitor requested it."""
    return known.visitor == visitor.name()


def _set(task: str, job: Job) -> None:
    st.session_state[f"{_JOB}-{task}"] = job
