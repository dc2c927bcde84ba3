"""The presenter's stage, or the lesson that the presenter reads, leads a room."""

from collections.abc import Callable
from typing import Any

from app import resources, session
from specviz.errors import InputError
from specviz.rooms.moment import Moment, Page
from specviz.rooms.polls import PollState
from specviz.rooms.room import Room, resolve, steer


def report(code: str, now: dict[str, Any]) -> None:
    """Where the presenter's stage is now, see `Reported` in types.d.ts; what a page makes up is dropped."""

    def step(room: Room, when: float) -> Room:
        here = Moment(
            run=str(now["run"]),
            clock=float(now["clock"]),
            round=max(0, int(now["round"])),
            index=max(0, int(now["index"])),
            within=max(0.0, float(now["within"])),
            playing=bool(now["playing"]),
            pace=str(now["pace"]),
        )
        return steer(room, session.person(), here, when)

    _change(code, step)


def report_page(code: str, now: dict[str, Any]) -> None:
    """Which page of a lesson the presenter reads, see `Whereabouts` in two_windows.js; what a page makes up is dropped. The answer that the
    presenter chooses on it ends the vote about it."""

    def step(room: Room, when: float) -> Room:
        chosen = now["chosen"]
        page = Page(
            str(now["lesson"]),
            str(now["language"]),
            int(now["page"]),
            str(now["analogy"]),
            None if chosen is None else int(chosen),
        )
        room = steer(room, session.person(), Moment(page=page), when)
        poll = room.poll
        if page.chosen is None or poll is None or poll.state is PollState.RESOLVED or poll.truth is None:
            return room
        about = poll.run == page.run and poll.round == page.number
        return resolve(room, session.person(), poll.truth, when) if about else room

    _change(code, step)


def _change(code: str, step: Callable[[Room, float], Room]) -> None:
    try:
        resources.rooms().change(code, step)
    except (InputError, KeyError, TypeError, ValueError):
        return
