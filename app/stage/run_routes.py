"""The runs of visitors on this server's own addresses: their rounds as events, and the recording at the end. Makes no Streamlit call but for what the
process has once.

An address of a run holds for the browser that it was made for. Only the page makes one, for a run that it shows.
"""

import hmac
import json
from dataclasses import replace
from hashlib import sha256
from secrets import token_hex
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.server import resources
from app.server.addresses import base, who
from app.server.events import HEADERS, EventSource, respond
from app.server.job import Job
from app.server.notifier import Notifier
from app.server.updates import LiveState
from app.stage.race_source import race_source

_SECRET = token_hex(32)
_pages: WeakValueDictionary[str, "StartedRun"] = WeakValueDictionary()
_GONE = "The server does not have this run any more, or it is another browser's: load the page again."


class StartedRun:
    """The run that a page has started last. The script of the page listens when Run is pressed, and follows it before the page is rendered."""

    def __init__(self) -> None:
        self._notifier = Notifier()
        self._job: Job | None = None
        _pages[self._notifier.id] = self

    def set(self, job: Job) -> None:
        """Follow this run from now on."""
        self._job = job
        job.notifier.pass_on(self._notifier, 0.0)
        self._notifier.notify()

    def address(self, visitor: str) -> str:
        """Where the script of this visitor's page listens, with `&after=` the run that it has."""
        return address_of("begun", self._notifier.id, visitor)

    def after(self, job_id: str, visitor: str) -> EventSource:
        """The run and its rounds, once it is another one than this."""

        def read() -> LiveState:
            job = self._job
            if job is None or job.id == job_id:
                return LiveState()
            state = resources.jobs().live_state(job)
            events, recording = (address_of("runs", job.id, visitor, last) for last in ("events", "recording"))
            run = {"id": job.id, "events": events, "recorded_at": recording}
            return replace(state, slots={"run": json.dumps(run), **state.slots})

        return EventSource(self._notifier, read)


def address_of(folder: str, name: str, visitor: str, last: str = "events") -> str:
    """The address of a run, a race or a page's started run for this visitor."""
    return f"{base()}/{folder}/{name}/{last}?key={_key(name, visitor)}"


def _key(name: str, visitor: str) -> str:
    return hmac.new(_SECRET.encode(), f"{name} {visitor}".encode(), sha256).hexdigest()[:32]


def _fits_browser(request: Request) -> bool:
    """True if the address was made for the browser that asks."""
    key = _key(request.path_params["name"], who(request)[0])
    return hmac.compare_digest(request.query_params.get("key", "").encode(), key.encode())


def _runs_of(request: Request) -> list[Job]:
    """The runs that the address names; none where one of them is gone, or the address was made for another browser."""
    jobs = [resources.jobs().find(name) for name in request.path_params["name"].split(".")]
    kept = [job for job in jobs if job is not None]
    return kept if _fits_browser(request) and len(kept) == len(jobs) else []


def _gone() -> Response:
    return PlainTextResponse(_GONE, 404, headers=HEADERS)


async def _started_events(request: Request) -> Response:
    page = _pages.get(request.path_params["name"]) if _fits_browser(request) else None
    if page is None:
        return _gone()
    return await respond(request, page.after(request.query_params.get("after", ""), who(request)[0]))


async def _run_events(request: Request) -> Response:
    if not (runs := _runs_of(request)):
        return _gone()
    return await respond(request, EventSource(runs[0].notifier, lambda: resources.jobs().live_state(runs[0])))


async def _race_events(request: Request) -> Response:
    runs = _runs_of(request)[:2]
    return await respond(request, race_source(resources.jobs(), *runs)) if runs else _gone()


async def _recording(request: Request) -> Response:
    recording = next((job.recording for job in _runs_of(request)), None)
    if recording is None:
        return _gone()
    return Response(recording, media_type="application/json", headers={"cache-control": "private, max-age=3600"})


ROUTES = [
    Route("/runs/{name}/events", _run_events, methods=["GET"]),
    Route("/runs/{name}/recording", _recording, methods=["GET"]),
    Route("/races/{name}/events", _race_events, methods=["GET"]),
    Route("/begun/{name}/events", _started_events, methods=["GET"]),
]
