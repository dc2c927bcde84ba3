"""A room as JSON text, and back: rooms and their votes outlive a restart of the server."""

import json
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from specviz.errors import TraceError
from specviz.rooms.codes import read_code
from specviz.rooms.errors import RoomError
from specviz.rooms.moment import Moment, Page
from specviz.rooms.polls import Poll
from specviz.rooms.room import Room, Sent
from specviz.trace.files import from_json


def write(room: Room) -> str:
    """The text of a room."""
    return json.dumps(_plain(room), separators=(",", ":"), allow_nan=False)


def read(text: str) -> Room:
    """The room of a text, every field checked.

    Raises:
        RoomError: it is damaged.
    """
    try:
        room: Room = from_json(Room, json.loads(text), "room")
        _check(room)
    except (ValueError, RecursionError, TraceError, RoomError) as error:
        raise RoomError(f"A saved room cannot be read ({type(error).__name__}): open a new one.") from None
    return room


def _check(room: Room) -> None:
    read_code(room.code)
    for poll in room.all_polls():
        given = [*poll.votes.values(), *([] if poll.answer is None else [poll.answer])]
        if not all(0 <= choice < len(poll.choices) for choice in given):
            raise RoomError("There is a vote for no choice.")


def _plain(value: Any) -> Any:
    """Records as plain JSON values."""
    if isinstance(value, Room | Moment | Page | Poll | Sent):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, MappingProxyType):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
