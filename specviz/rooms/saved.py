"""A room as JSON text, and back: rooms and their votes outlive a restart of the server."""

import json
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from specviz.rooms.errors import RoomError
from specviz.rooms.moment import Moment, Page
from specviz.rooms.polls import Poll, State
from specviz.rooms.room import Room, Sent


def write(room: Room) -> str:
    """The text of a room."""
    return json.dumps(_plain(room), separators=(",", ":"), allow_nan=False)


def read(text: str) -> Room:
    """The room of a text.

    Raises:
        RoomError: it is damaged.
    """
    try:
        found = json.loads(text)
        return Room(
            **{
                **found,
                "moment": _moment(found["moment"]),
                "people": MappingProxyType({str(who): float(when) for who, when in found["people"].items()}),
                "poll": None if found["poll"] is None else _poll(found["poll"]),
                "past": tuple(_poll(each) for each in found["past"]),
                "sent": tuple(Sent(**each) for each in found["sent"]),
            }
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, RoomError) as error:
        raise RoomError(f"A saved room cannot be read ({type(error).__name__}): open a new one.") from None


def _moment(found: dict[str, Any]) -> Moment:
    page = found.get("page")
    return Moment(**{**found, "page": None if page is None else Page(**page)})


def _poll(found: dict[str, Any]) -> Poll:
    votes = {str(who): int(choice) for who, choice in found["votes"].items()}
    choices = tuple(found["choices"])
    if not all(0 <= choice < len(choices) for choice in votes.values()):
        raise ValueError("a vote for no choice")
    return Poll(
        found["question"],
        choices,
        tuple(found["claimed"]),
        State(found["state"]),
        MappingProxyType(votes),
        found["answer"],
        str(found.get("run", "")),
        int(found.get("round", -1)),
        found.get("truth"),
    )


def _plain(value: Any) -> Any:
    """Records as plain JSON values."""
    if isinstance(value, Room | Moment | Page | Poll | Sent):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, MappingProxyType):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
