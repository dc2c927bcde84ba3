"""What a lesson can measure on this machine: the pair, the visitor's request, and what the page shows of it.

Results belong to the server: whoever comes later sees them too.
"""

from time import monotonic
from typing import Any

import streamlit as st

from app import pairs, request_form, resources, run_description, visitor
from app.bell import Bell
from app.job import Job, Status
from specviz.known_pairs import EMBEDDED
from specviz.request import PairAsked
from specviz.trace.measured import Kind, Measurement
from specviz.wire import Measure

_JOB = "_measuring"


def begin(name: str) -> None:
    """Request a measurement by its name; a name that there is not is ignored."""
    if name in [kind.value for kind in Kind]:
        st.session_state[_JOB] = resources.jobs().measure(
            _pair(), Kind(name), watched=visitor.watched(), visitor=visitor.name()
        )


def stop() -> None:
    """End the measurement that this visitor requested. One of somebody else, which served this visitor too, goes on."""
    job = _job()
    if job is None or job.over:
        return
    if job.visitor == visitor.name():
        resources.jobs().cancel(job)
    else:
        st.session_state[_JOB] = None


def live() -> bool:
    """Whether a measurement of this visitor waits or is under way."""
    job = _job()
    return job is not None and not job.over


def bell() -> Bell | None:
    """Is rung when this visitor's measurement has news."""
    job = _job()
    return None if job is None else job.bell


def shown() -> dict[str, Any]:
    """What the page shows: the visitor's request, and the results of this server with their age; see `MeasuredState` in types.d.ts."""
    now = monotonic()
    kept = resources.jobs().measured
    return {
        "request": _request(),
        "results": {
            kind.value: {"result": _named(known.measurement), "age_s": now - known.at} for kind, known in kept.items()
        },
    }


def _named(measurement: Measurement) -> dict[str, Any]:
    """A measurement for the page, its models by the names that the page has for them."""
    return measurement.as_json() | run_description.names_measured(measurement.target, measurement.draft)


def _request() -> dict[str, Any] | None:
    """The state of this visitor's last request; None before the first."""
    job = _job()
    if job is None:
        return None
    assert isinstance(job.command, Measure), "requested here"
    state = resources.jobs().load_state(job)
    return {
        "kind": job.command.what.value,
        "status": state.status.value,
        "message": state.message if state.status is Status.FAILED else "",
        "what": state.what,
        "share": state.share if state.status is Status.RUNNING else None,
        "queue_position": state.queue_position,
    }


def _pair() -> PairAsked:
    """The pair that the visitor chose, if it is loaded; else the built-in one, so that a measurement starts no download; or, where its
    host left that one out of a classroom, the first that he chose."""
    chosen = request_form.pair_asked()
    return (
        chosen
        if resources.jobs().loaded_with(chosen) is not None
        else PairAsked(EMBEDDED if EMBEDDED in pairs.cards() else pairs.cards()[0])
    )


def _job() -> Job | None:
    found: Job | None = st.session_state.get(_JOB)
    return found
