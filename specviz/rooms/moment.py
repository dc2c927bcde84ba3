"""The presenter's moment: what everybody in the room looks at."""

import math
from dataclasses import dataclass, replace

from specviz.rooms.errors import RoomError

_LONGEST = 2000
PACES = ("hand", "slow", "lesson", "quick", "real")
_DAY = 86_400.0
_ROUNDS = 100_000


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the presenter is.

    Attributes:
        screen: "watch", or a lesson's name with its step, as in "learn/editor/3".
        run: the id of the recording on the stage; "" for none.
        clock: the viewer's clock at which it is shown, in seconds at this pace.
        round: the index of the first round whose verdicts are not shown yet.
        playing: whether it moves on by itself, at `pace`.
        version: larger with every change, so that a follower asks for what is new only.
    """

    screen: str = "watch"
    run: str = ""
    clock: float = 0.0
    round: int = 0
    playing: bool = False
    pace: str = PACES[1]
    version: int = 0

    def __post_init__(self) -> None:
        if len(self.screen) + len(self.run) > _LONGEST:
            raise RoomError(
                f"The moment has {len(self.screen) + len(self.run):,} characters: at most {_LONGEST:,} fit."
            )
        if not (math.isfinite(self.clock) and 0 <= self.clock <= _DAY and 0 <= self.round <= _ROUNDS):
            raise RoomError(f"The clock was {self.clock} at round {self.round}: give seconds from 0 on, and a round.")
        if self.pace not in PACES:
            raise RoomError(f"The pace was {self.pace!r:.40}: choose one of {', '.join(PACES)}.")


def after(before: Moment, now: Moment) -> Moment:
    """The next moment: with the next version where something changed, else the one of before."""
    same = replace(now, version=before.version)
    return before if same == before else replace(now, version=before.version + 1)
