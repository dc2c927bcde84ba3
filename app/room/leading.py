"""The presenter's stage leads a room."""

from typing import Any

from app import resources, session
from specviz.errors import InputError
from specviz.rooms.moment import Moment
from specviz.rooms.room import Room, steer


def told(code: str, now: dict[str, Any]) -> None:
    """Where the presenter's stage is now, see `Told` in types.d.ts; what a page makes up is dropped."""

    def step(room: Room, when: float) -> Room:
        here = Moment(
            run=str(now["run"]),
            clock=float(now["clock"]),
            round=max(0, int(now["round"])),
            playing=bool(now["playing"]),
            pace=str(now["pace"]),
        )
        return steer(room, session.person(), here, when)

    try:
        resources.rooms().change(code, step)
    except (InputError, KeyError, TypeError, ValueError):
        return
