"""The presenter's moment: what everybody in the room looks at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.classroom.texts import RoomError
from specviz.errors import InputError

_LONGEST = 2000
_PAGES = 1000
_CHOICES = 20
PHASES = ("draft", "verify", "judge", "commit")
PACES = ("hand", "slow", "lesson", "quick", "real")
_DAY = 86_400.0
_ROUNDS = 100_000
LESSON = "learn/"  # what the name of a lesson begins with, where a run's could stand


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a lesson.

    Attributes:
        lesson, language: which lesson.
        number: the index of the page.
        analogy: the name of the captions that are shown; "" for none.
        chosen: the index of the answer that was chosen on it; None before one was.
    """

    lesson: str
    language: str = "en"
    number: int = 0
    analogy: str = ""
    chosen: int | None = None

    def __post_init__(self) -> None:
        if len(self.lesson) + len(self.language) + len(self.analogy) > _LONGEST:
            raise RoomError(f"The names of the lesson have more than {_LONGEST:,} characters: give those of a lesson.")
        if not (0 <= self.number <= _PAGES and (self.chosen is None or 0 <= self.chosen < _CHOICES)):
            raise RoomError(f"The page was {self.number} with the answer {self.chosen}: give a page of the lesson.")

    @property
    def run(self) -> str:
        """The name that a question about a page of this lesson has instead of a run's."""
        return f"{LESSON}{self.lesson}"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the presenter is: on a page of a lesson, or at a moment of a run or of a race.

    Attributes:
        page: of the lesson; None where a run or a race is shown.
        run: the id of the recording on the stage, or of the race; "" for none.
        clock: the viewer's clock at which it is shown, in seconds at this pace; of a race the engine's.
        factor: how many times slower than it was a race is shown; 0 where none is.
        round: the index of the first round whose verdicts are not shown yet.
        index, phase, fraction: the round on the desk, its phase, and how much of that has passed.
        playing: whether it moves on by itself, at `pace`.
        version: larger with every change, so that a follower asks for what is new only.
    """

    run: str = ""
    clock: float = 0.0
    round: int = 0
    index: int = 0
    phase: str = PHASES[0]
    fraction: float = 0.0
    playing: bool = False
    pace: str = PACES[1]
    version: int = 0
    page: Page | None = None
    factor: float = 0.0

    def __post_init__(self) -> None:
        if len(self.run) > _LONGEST:
            raise RoomError(f"The name of the run has {len(self.run):,} characters: at most {_LONGEST:,} fit.")
        times, rounds = (self.clock, self.fraction, self.factor), (self.round, self.index)
        if not (all(0 <= time <= _DAY for time in times) and all(0 <= round_ <= _ROUNDS for round_ in rounds)):
            raise RoomError(f"The clock was {self.clock} at round {self.round}: give seconds from 0 on, and a round.")
        for name, known in ((self.pace, PACES), (self.phase, PHASES)):
            if name not in known:
                raise RoomError(f"The pace or the phase was {name!r:.40}: choose one of {', '.join(known)}.")


def after(before: Moment, now: Moment) -> Moment:
    """The next moment: with the next version where something changed, else the one of before."""
    same = replace(now, version=before.version)
    return before if same == before else replace(now, version=before.version + 1)


def read(reported: Mapping[str, Any]) -> Moment:
    """The moment that a presenter's page reports, see `PresenterMoment` and `RaceMoment` in json_types.ts, and `whereabouts` in learn.ts. Raises
    InputError if it is none."""
    try:
        if "lesson" in reported:
            chosen = None if reported["chosen"] is None else int(reported["chosen"])
            lesson, language, analogy = (str(reported[name]) for name in ("lesson", "language", "analogy"))
            return Moment(page=Page(lesson, language, int(reported["page"]), analogy, chosen))
        kinds = _RACE if "factor" in reported else _STAGE
        return Moment(**{name: kind(reported[name]) for name, kind in kinds.items()})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError("The moment of the stage could not be read: load the presenter's page again.") from None


def _index(reported: Any) -> int:
    return max(0, int(reported))  # -1 before the first round


_Kinds = Mapping[str, Callable[[Any], Any]]
_SHOWN: _Kinds = {"run": str, "clock": float, "playing": bool}
_RACE: _Kinds = {**_SHOWN, "factor": float}
_STAGE: _Kinds = {**_SHOWN, "round": _index, "index": _index, "phase": str, "fraction": float, "pace": str}
