"""The live runs of visitors: their rounds as events, and the recording at the end. Makes no Streamlit call but for what the process has once.

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
from app.server.bell import Bell
from app.server.events import HEADERS, Followed, respond
from app.server.job import Job
from app.server.updates import Now
from app.stage.race_updates import RaceFollowed

_SECRET = token_hex(32)
_pages: WeakValueDictionary[str, "Begun"] = WeakValueDictionary()
_GONE = "The server does not have this run any more, or it is another browser's: load the page again."


def routes(root: str) -> list[Route]:
    """See above.

    Args:
        root: what every path of the server begins with.
    """
    return [
        Route(f"{root}/runs/{{name}}/events", _events, methods=["GET"]),
        Route(f"{root}/runs/{{name}}/recording", _recording, methods=["GET"]),
        Route(f"{root}/races/{{name}}/events", _race, methods=["GET"]),
        Route(f"{root}/begun/{{name}}/events", _begun, methods=["GET"]),
    ]


class Begun:
    """The run that a page has begun last. The script of the page listens when Run is pressed, and follows it before the page is rendered."""

    def __init__(self) -> None:
        self._bell = Bell()
        self._job: Job | None = None
        _pages[self._bell.name] = self

    def tell(self, job: Job) -> None:
        """This one is the last now."""
        self._job = job
        job.bell.also(self._bell, 0.0)
        self._bell.ring()

    def address(self, visitor: str) -> str:
        """Where the script of this visitor's page listens, with `&after=` the run that it has."""
        return f"{base()}/begun/{self._bell.name}/events?key={_key(self._bell.name, visitor)}"

    def after(self, known: str, visitor: str) -> Followed:
        """The run and what comes of it, once it is another one than this."""

        def now() -> Now:
            job = self._job
            if job is None or job.id == known:
                return Now()
            found = resources.jobs().now(job)
            return replace(
                found, slots={"run": json.dumps({"id": job.id, **addresses_of(job, visitor)}), **found.slots}
            )

        return Followed(self._bell, now)


def addresses_of(job: Job, visitor: str) -> dict[str, str]:
    """Where the rounds and the recording of a run come from, for what shows it."""
    return {"events": events_of(job, visitor), "recorded_at": recording_of(job, visitor)}


def events_of(job: Job, visitor: str) -> str:
    """The address of a run's events, for this visitor."""
    return f"{base()}/runs/{job.id}/events?key={_key(job.id, visitor)}"


def recording_of(job: Job, visitor: str) -> str:
    """The address of the recording of a run that is over, for this visitor."""
    return f"{base()}/runs/{job.id}/recording?key={_key(job.id, visitor)}"


def race_of(job: Job, rival: Job | None, visitor: str) -> str:
    """The address of the events of a race, for this visitor."""
    name = job.id if rival is None else f"{job.id}.{rival.id}"
    return f"{base()}/races/{name}/events?key={_key(name, visitor)}"


def _key(name: str, visitor: str) -> str:
    return hmac.new(_SECRET.encode(), f"{name} {visitor}".encode(), sha256).hexdigest()[:32]


def _is_theirs(request: Request) -> bool:
    """Whether the address was made for this browser."""
    key = _key(request.path_params["name"], who(request)[0])
    return hmac.compare_digest(request.query_params.get("key", "").encode(), key.encode())


def _found(request: Request) -> list[Job]:
    """The runs of the address, which is this browser's; none otherwise."""
    if not _is_theirs(request):
        return []
    found = [resources.jobs().find(each) for each in request.path_params["name"].split(".")]
    return [] if None in found else [each for each in found if each is not None]


async def _begun(request: Request) -> Response:
    page = _pages.get(request.path_params["name"]) if _is_theirs(request) else None
    if page is None:
        return PlainTextResponse(_GONE, 404, headers=HEADERS)
    return await respond(request, page.after(request.query_params.get("after", ""), who(request)[0]))


async def _events(request: Request) -> Response:
    found = _found(request)
    if not found:
        return PlainTextResponse(_GONE, 404, headers=HEADERS)
    jobs = resources.jobs()
    return await respond(request, Followed(found[0].bell, lambda: jobs.now(found[0])))


async def _race(request: Request) -> Response:
    found = _found(request)
    if not found:
        return PlainTextResponse(_GONE, 404, headers=HEADERS)
    return await respond(request, RaceFollowed(resources.jobs(), *found[:2]))


async def _recording(request: Request) -> Response:
    found = _found(request)
    if not found or found[0].recording is None:
        return PlainTextResponse(_GONE, 404, headers=HEADERS)
    return Response(
        found[0].recording, media_type="application/json", headers={"cache-control": "private, max-age=3600"}
    )
