"""The live state of a room for its audience (`app.server.updates`). Makes no Streamlit call."""

import gzip
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from app.classroom import codes
from app.classroom.moment import LESSON
from app.classroom.played import about, drafted, plain_ends, shown
from app.classroom.polls import Poll, PollState
from app.classroom.questions import source_of
from app.classroom.room import Room, is_over
from app.classroom.rooms import LIVE_APART_S, Rooms, View
from app.server.jobs import Jobs
from app.server.updates import LiveState

_KEPT = ("status", "message", "what", "queue_position", "wait_s", "plain_rate", "asked")
_GONE = "gone"


class Feed:
    """One room, for all who look on. `jobs`: gives the jobs of this server, among them the live run on the presenter's
    stage."""

    def __init__(self, code: str, rooms: Rooms, jobs: Callable[[], Jobs]) -> None:
        self._code, self._rooms, self._jobs = code, rooms, jobs
        self._lock = threading.Lock()
        self._epoch, self._rounds = "", list[str]()
        self._packed = ("", b"")

    def state(self) -> LiveState:
        """The room as its audience may see it now."""
        room = self._rooms.of(self._code)
        if room is None or is_over(room, self._rooms.now()):
            return LiveState({"room": _line({"code": self._code, "closed": True})}, epoch=_GONE, over=True)
        slots = {
            "room": _line({"code": room.code, "closed": False}),
            "moment": _line(self._moment(room)),
            "poll": _line(_poll(room, self._alias)),
            "stage": "null",
            "covered": "null",
        }
        if room.moment.page is not None:
            slots["stage"] = _line({"lesson": room.moment.page.lesson, "language": room.moment.page.language})
            return LiveState(slots, epoch="lesson")
        if room.moment.factor:
            return self._race(room, slots)
        view = self.stage_view(room)
        if view is None:
            return LiveState(slots, epoch="empty")
        source, alias = source_of(view), self._alias(room, view["id"])
        stage = {"run": alias, **{name: view[name] for name in _KEPT if view.get(name) is not None}}
        epoch = f"{alias}{'r' if view.get('recording') else 'l'}"
        if source is None:
            return LiveState({**slots, "stage": _line(stage)}, epoch=epoch)
        reached = self._rooms.reached(self._code, view["id"])
        count = min(reached, len(source["rounds"]))
        whole = bool(view.get("recording")) and reached >= len(source["rounds"])
        with self._lock:
            if self._epoch != epoch:
                self._epoch, self._rounds = epoch, []
            self._rounds += [_line(shown(source, index)) for index in range(len(self._rounds), count)]
            rounds = self._rounds[:count]
        slots |= {
            "stage": _line({**stage, "about": about(source), "whole": whole}),
            "covered": _line(drafted(source, count)),
        }
        return LiveState(slots, {"rounds": rounds, "plain": [*map(_line, plain_ends(view, source))]}, epoch)

    def _race(self, room: Room, slots: Mapping[str, str]) -> LiveState:
        """The lanes of a race, which nobody can be asked about: all of them."""
        run = room.moment.run
        source = self._rooms.race(room.code, run)
        if source is None:
            return LiveState(slots, epoch="empty")
        race, stage = source.state(), _line({"race": self._alias(room, run)})
        return LiveState({**slots, **race.slots, "stage": stage}, race.logs, self._alias(room, race.epoch))

    def whole(self, alias: str) -> bytes | None:
        """The view of a run that was shown to its end, as compressed JSON; None before."""
        room = self._rooms.of(self._code)
        view = None if room is None or is_over(room, self._rooms.now()) else self.stage_view(room)
        if room is None or view is None or not view.get("recording") or self._alias(room, view["id"]) != alias:
            return None
        source = source_of(view)
        if source is None or self._rooms.reached(self._code, view["id"]) < len(source["rounds"]):
            return None
        with self._lock:
            if self._packed[0] != alias:
                self._packed = (alias, gzip.compress(_line({**view, "id": alias, "title": False}).encode(), 6))
            return self._packed[1]

    def stage_view(self, room: Room) -> View | None:
        """The run or the recording on the presenter's stage; notifies the audience of a live run."""
        job = self._jobs().find(room.moment.run) if room.moment.run else None
        if job is None:
            return self._rooms.view(room.code)
        job.notifier.pass_on(self._rooms.notifier(room.code), LIVE_APART_S)
        return self._jobs().view(job)

    def _alias(self, room: Room, run: str) -> str:
        """The name of a run for the audience. By its own id all of it could be opened on Watch."""
        return codes.voter(run, room.key) if run and not run.startswith(LESSON) else run

    def _moment(self, room: Room) -> dict[str, Any]:
        run, version = self._alias(room, room.moment.run), f"{room.code} {room.moment.version}"
        return {**asdict(room.moment), "run": run, "version": version, "moved": round(room.moved, 3)}


def _poll(room: Room, alias: Callable[[Room, str], str]) -> dict[str, Any] | None:
    """The question; how many chose what only once nobody can vote any more."""
    poll: Poll | None = room.poll
    if poll is None:
        return None
    over = poll.state is not PollState.OPEN
    return {
        "id": f"{room.code} {len(room.past)}",
        "run": alias(room, poll.run),
        "round": poll.round,
        "question": poll.question,
        "choices": poll.choices,
        "state": poll.state.value,
        "voted": len(poll.votes),
        "counts": poll.counts if over else None,
        "claimed": poll.claimed if over else (),
        "answer": poll.answer,
    }


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
