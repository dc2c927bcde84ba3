"""A room for its audience: the page behind `/join`, what happens in the room as events, votes and prompts; and the presenter's moves.

Nobody of an audience has a Streamlit page. A phone gets a token of its own for a room, which is its voice there. Makes no Streamlit call but for
what the process has once (`app.server.resources`).
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.classroom import codes, lesson_page, moment, rooms
from app.classroom import room as transitions
from app.classroom.feed import Feed
from app.classroom.room import Room
from app.classroom.texts import RoomError
from app.server import files, resources
from app.server.addresses import base, who
from app.server.events import HEADERS, EventSource, respond
from app.server.visitors import HERE, NOBODY
from specviz import words
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.reporting.player.html_page import theme_variables
from specviz.reporting.player.scripts import given, script, style

_LONGEST = 4_000  # bytes of what a phone or a presenter sends at a time
Answer = Callable[[Request], Awaitable[Response]]


def _answered(answer: Answer) -> Answer:
    """Answers an input error with its sentence, and refuses what another site's page sends."""

    async def answering(request: Request) -> Response:
        if request.method == "POST" and not own_origin(request):
            return PlainTextResponse("This was sent from another site's page: open the room's own address.", 403)
        try:
            return await answer(request)
        except InputError as error:
            sentence = error.said(_language(request)) if isinstance(error, RoomError) else str(error)
            return PlainTextResponse(sentence, 400, headers=HEADERS)

    return answering


def own_origin(request: Request) -> bool:
    """True if the page that sends this is one of this server. Behind a proxy the server's name is the one that the browser asked for."""
    if request.headers.get("sec-fetch-site") == "same-origin":  # which only a browser writes
        return True
    origin = request.headers.get("origin")
    return not origin or urlsplit(origin).netloc in (
        request.headers.get("host"),
        request.headers.get("x-forwarded-host"),
    )


async def _page(request: Request) -> Response:
    return HTMLResponse(page(base(), _language(request)), headers={"content-security-policy": POLICY, **HEADERS})


def _language(request: Request) -> str:
    """The language that the address names, else the one that the browser prefers."""
    named = request.query_params.get("lang", "")
    return named if named in words.languages() else words.preferred(request.headers.get("accept-language", ""))


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""Of the pages of this module: nothing on them is written into the page itself."""


@lru_cache(maxsize=16)
def page(root: str, language: str) -> str:
    """The page of an audience in a language that the page speaks: the same for every room, whose code is in its address."""
    join = f"{root}{files.publish('join.js', script('join'))}"
    sheet = f"{root}{files.publish('join.css', theme_variables() + style('join'))}"
    needed = f"{root}{files.publish('given.json', json.dumps(given(), separators=(',', ':')))}"
    lanes = f"{root}{files.publish('race.css', style('race'))}"
    icon = f"{root}{files.publish('icon.svg', (ASSETS / 'icon.svg').read_text(encoding='utf-8'))}"
    table = ""
    if language != words.ENGLISH:
        table = f' data-words="{root}{files.publish(f"words-{language}.json", words.table_text(language))}"'
    return (
        f'<!doctype html><html lang="{language}"{table} data-base="{root}" data-given="{needed}" data-race="{lanes}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>specviz: a room</title>'
        f'<link rel="icon" href="{icon}"><link rel="preload" href="{needed}" as="fetch" crossorigin="anonymous">'
        f'<link rel="stylesheet" href="{sheet}"><script type="module" src="{join}"></script></head>'
        "<body><noscript>This page needs JavaScript.</noscript></body></html>"
    )


# ------------------------------------------------------------------ the audience


async def _enter(request: Request) -> Response:
    """A phone's token for a room. The window for the projector gets one, too, and is not counted among who is here."""
    (visitor, address), sent = who(request), await _sent(request)
    room = _room_of_code(request.path_params["code"], visitor, address)
    if not visitor:  # it would be another phone, with another vote, every time
        raise RoomError(NOBODY)
    voter = codes.voter(visitor, room.key)
    if not sent.get("hall"):
        _change(room.code, lambda room, when: transitions.check_in(room, voter, when))
    return JSONResponse({"room": room.code, "phone": voter + _signature(voter, room)}, headers=HEADERS)


def _room_of_code(typed: str, visitor: str, address: str) -> Room:
    """The room of a code that somebody typed. Who is in it already finds it again however many codes were tried. Raises
    RoomError if there is none, or this visitor or his address has tried too many: then the right one is refused like
    any other."""
    room = rooms.server_rooms().find(typed)
    if room is not None and visitor and codes.voter(visitor, room.key) in room.people:
        return room
    if not HERE.may_try(visitor, address, right=room is not None):
        raise RoomError("Too many wrong codes were tried: wait a minute, and read the code on the presenter's screen.")
    if room is None:
        code = codes.read_code(typed)
        raise RoomError(
            "No room with the code {code} is open here: check the code on the presenter's screen.", code=code
        )
    return room


def _signature(voter: str, room: Room) -> str:
    return codes.signed(f"phone {voter}", room.key)[: len(voter)]


def _joined(request: Request, phone: object) -> tuple[Room, str]:
    """The room of the address, and who this phone is there. Whether there is a room of this code, only a phone in it is told."""
    room, token = rooms.server_rooms().of(request.path_params["code"]), str(phone)
    voter, signature = token[: len(token) // 2], token[len(token) // 2 :]
    if (
        room is None
        or not hmac.compare_digest(signature.encode("utf-8", "replace"), _signature(voter, room).encode())
        or not voter
    ):
        raise RoomError("This phone is not in the room: load the page again.")
    return room, voter


async def _events(request: Request) -> Response:
    room, voter = _joined(request, request.query_params.get("phone", ""))
    source, hall = _feed(room.code)[1], request.query_params.get("hall") == "1"

    def beat() -> None:
        try:
            _change(room.code, lambda room, when: transitions.check_in(room, "" if hall else voter, when))
        except RoomError:
            source.notifier.notify()  # it is over: the events say so

    return await respond(request, source, beat, rooms.server_rooms().now)


async def _lesson(request: Request) -> Response:
    _joined(request, request.query_params.get("phone", ""))
    named = request.query_params
    lesson = lesson_page.lesson(named.get("lesson", ""), named.get("language", ""), talk=named.get("talk") == "1")
    if lesson is None:
        raise RoomError("The presenter reads a lesson that this server does not have any more.")
    return JSONResponse(lesson, headers=HEADERS)


async def _run(request: Request) -> Response:
    room, _ = _joined(request, request.query_params.get("phone", ""))
    packed = await asyncio.to_thread(_feed(room.code)[0].whole, request.query_params.get("run", ""))
    if packed is None:
        raise RoomError("This run was not shown to its end yet: it can be looked through then.")
    headers = {**HEADERS, "content-encoding": "gzip"}
    return Response(packed, media_type="application/json", headers=headers)


async def _vote(request: Request) -> Response:
    sent = await _sent(request)
    (room, voter), choice = _joined(request, sent.get("phone", "")), sent.get("choice")
    if isinstance(choice, bool) or not isinstance(choice, int):
        raise RoomError("The vote names no choice: press one that is shown.")
    poll = None if room.poll is None else f"{room.code} {len(room.past)}"
    if sent.get("poll") != poll:
        raise RoomError("There is another question now: your vote did not count.")
    _change(room.code, lambda room, when: transitions.vote(room, voter, choice, when))
    return JSONResponse({}, headers=HEADERS)


async def _prompt(request: Request) -> Response:
    sent = await _sent(request)
    room, voter = _joined(request, sent.get("phone", ""))
    _change(room.code, lambda room, when: transitions.send(room, voter, str(sent.get("text", "")), when))
    return JSONResponse({}, headers=HEADERS)


# ------------------------------------------------------------------ the presenter


async def _moment(request: Request) -> Response:
    code, sent = request.path_params["code"], await _sent(request)
    presenter = rooms.server_rooms().presenter(code, str(sent.get("secret", "")))
    if not presenter:
        raise RoomError("Only the presenter who opened this room can steer it: load the presenter's page again.")
    there = moment.read(sent)
    _change(code, lambda room, when: transitions.steer(room, presenter, there, when))
    return JSONResponse({}, headers=HEADERS)


# ------------------------------------------------------------------ rooms


@lru_cache(maxsize=64)
def _feed(code: str) -> tuple[Feed, EventSource]:
    """The feed of a room, made once for all who follow it, and its events."""
    server_rooms = rooms.server_rooms()
    feed = Feed(code, server_rooms, resources.jobs)
    return feed, EventSource(server_rooms.notifier(code), feed.state, shared=True)


def _change(code: str, do: Callable[[Room, float], Room]) -> Room:
    return rooms.server_rooms().change(code, do)


async def _sent(request: Request) -> Mapping[str, Any]:
    """The body of a request, as an object. Raises RoomError if it is too long, or none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            raise RoomError("What was sent is too long: at most {most} bytes.", most=_LONGEST)
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise RoomError("What was sent could not be read: load the page again.")
    return sent


ROUTES = [
    Route("/join", _page, methods=["GET"]),
    Route("/join/{code}", _page, methods=["GET"]),
    Route("/rooms/{code}/enter", _answered(_enter), methods=["POST"]),
    Route("/rooms/{code}/events", _answered(_events), methods=["GET"]),
    Route("/rooms/{code}/lesson", _answered(_lesson), methods=["GET"]),
    Route("/rooms/{code}/run", _answered(_run), methods=["GET"]),
    Route("/rooms/{code}/vote", _answered(_vote), methods=["POST"]),
    Route("/rooms/{code}/prompt", _answered(_prompt), methods=["POST"]),
    Route("/rooms/{code}/moment", _answered(_moment), methods=["POST"]),
]
