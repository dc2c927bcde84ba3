"""The audits of one visitor's page, one for each task: requested, found again by their names in the address, stopped."""

from typing import TypeVar

from app.server import resources
from app.server.job import Job
from app.state import address, session, visitor
from app.state.page_state import page_state
from specviz.audit.messages import AuditRequest, ExhibitRequest, decode, encode
from specviz.request import PairRequest
from specviz.wire import Perform

T = TypeVar("T")


def arrive(task: str) -> None:
    """Take the audit that the address names, where the server still has it: after a reload the page shows what it showed."""
    state, name, job_before = page_state(), address.parameter(task), current(task)
    if job_before is not None and name in ("", job_before.id):
        address.change({task: job_before.id})
        return
    state.gone_audits.discard(task)
    job = resources.jobs().find(name, task) if name else None
    if job is None:
        state.gone_audits |= {task} if name else set()
        return
    if stoppable(job):
        resources.jobs().watch(job, visitor.watched())
    state.audits[task] = job


def current(task: str) -> Job | None:
    """The audit that the screen of this task shows."""
    return page_state().audits.get(task)


def notice(task: str) -> str:
    """That the audit of the address is gone; "" where it is not."""
    if task not in page_state().gone_audits:
        return ""
    return "The audit of this link is no longer on the server, which keeps the latest ones only. Start a new one."


def begin(task: str, pair: PairRequest | None, request: AuditRequest | ExhibitRequest) -> None:
    """Request an audit. One that waits or has just begun goes on instead where the request is the same: many quick clicks are one audit."""
    current_job = current(task)
    if current_job is not None:
        live = not current_job.over and current_job.cancelled_at is None
        if live and (current_job.pair, request_of(current_job, type(request))) == (pair, request):
            return
        stop(task)
    job = resources.jobs().perform(pair, task, encode(request), watched=visitor.watched(), visitor=visitor.name())
    page_state().gone_audits.discard(task)
    page_state().audits[task] = job
    address.change({task: job.id})


def request_of(job: Job, kind: type[T]) -> T:
    """The request of an audit, as a record of this kind."""
    assert isinstance(job.command, Perform), "an audit is a task"
    return decode(kind, job.command.asked)


def stop(task: str) -> None:
    """End the audit; what was found so far stays. Not one of somebody else, whose link was followed."""
    job = current(task)
    if job is not None and stoppable(job):
        resources.jobs().cancel(job)


def stoppable(job: Job) -> bool:
    """True if Stop would end it: this visitor requested it, and it is not over."""
    return not job.over and session.is_own(job)
