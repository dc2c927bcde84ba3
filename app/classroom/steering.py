"""Where a presenter's stage, race or lesson is, taken from what their page reports. Makes no Streamlit call."""

from typing import Any

from app.classroom.moment import Moment, Page
from app.classroom.polls import PollState
from app.classroom.room import Room, resolve, steer
from specviz.errors import InputError


def steered(room: Room, presenter: str, reported: dict[str, Any], when: float) -> Room:
    """The room where its presenter's stage or race is now, see `PresenterMoment` and `RaceMoment` in json_types.ts, or at a page of a lesson, see
    `whereabouts` in learn.ts.

    The answer that the presenter chooses on a page ends the vote about it. Raises InputError if this is no presenter's, the room is over, or there
    is no such place.
    """
    try:
        there = (
            _page(reported) if "lesson" in reported else _race(reported) if "factor" in reported else _moment(reported)
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError("The moment of the stage could not be read: load the presenter's page again.") from None
    room = steer(room, presenter, there, when)
    page, poll = there.page, room.poll
    if page is None or page.chosen is None or poll is None or poll.state is PollState.RESOLVED or poll.truth is None:
        return room
    about = poll.run == page.run and poll.round == page.number
    return resolve(room, presenter, poll.truth, when) if about else room


def _moment(reported: dict[str, Any]) -> Moment:
    return Moment(
        run=str(reported["run"]),
        clock=float(reported["clock"]),
        round=max(0, int(reported["round"])),
        index=max(0, int(reported["index"])),
        phase=str(reported["phase"]),
        fraction=max(0.0, float(reported["fraction"])),
        playing=bool(reported["playing"]),
        pace=str(reported["pace"]),
    )


def _race(reported: dict[str, Any]) -> Moment:
    return Moment(
        run=str(reported["run"]),
        clock=float(reported["clock"]),
        playing=bool(reported["playing"]),
        factor=max(1.0, float(reported["factor"])),
    )


def _page(reported: dict[str, Any]) -> Moment:
    chosen = reported["chosen"]
    return Moment(
        page=Page(
            str(reported["lesson"]),
            str(reported["language"]),
            int(reported["page"]),
            str(reported["analogy"]),
            None if chosen is None else int(chosen),
        )
    )
