"""The live runs of visitors: their rounds as events, and the recording at the end. Makes no Streamlit call but for what the process has once.

An address of a run holds for the browser that it was made for. Only the page makes one, for a run that it shows.
"""

import hmac
from hashlib import sha256
from secrets import token_hex

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app import resources
from app.job import Job
from app.race.live import RaceFollowed
from app.routes.addresses import base, who
from app.routes.events import HEADERS, Followed, respond

_SECRET = token_hex(32)
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
    ]


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


def _found(request: Request) -> list[Job]:
    """The runs of the address, which is this browser's; none otherwise."""
    name = request.path_params["name"]
    if not hmac.compare_digest(request.query_params.get("key", "").encode(), _key(name, who(request)[0]).encode()):
        return []
    found = [resources.jobs().find(each) for each in name.split(".")]
    return [] if None in found else [each for each in found if each is not None]


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
