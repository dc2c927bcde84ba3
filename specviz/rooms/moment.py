"""The presenter's moment: what everybody in the room looks at."""

import math
from dataclasses import dataclass, replace

from specviz.rooms.errors import RoomError

_LONGEST = 2000
PACES = ("step", "slow", "lesson", "quick", "real")


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the presenter is.

    Attributes:
        screen: "watch", or a lesson's name with its step, as in "learn/editor/3".
        run: the id of the recording on the stage; "" for none.
        place: how far the recording is played, from 0 to 1.
        playing: whether it moves on by itself, at `pace`.
        version: larger with every change, so that a follower asks for what is new only.
    """

    screen: str = "watch"
    run: str = ""
    place: float = 0.0
    playing: bool = False
    pace: str = PACES[1]
    version: int = 0

    def __post_init__(self) -> None:
        if len(self.screen) + len(self.run) > _LONGEST:
            raise RoomError(
                f"The moment has {len(self.screen) + len(self.run):,} characters: at most {_LONGEST:,} fit."
            )
        if not (math.isfinite(self.place) and 0 <= self.place <= 1):
            raise RoomError(f"The place in the recording was {self.place}: it is a number from 0 to 1.")
        if self.pace not in PACES:
            raise RoomError(f"The pace was {self.pace!r:.40}: choose one of {', '.join(PACES)}.")


def after(before: Moment, now: Moment) -> Moment:
    """The next moment: with the next version where something changed, else the one of before."""
    same = replace(now, version=before.version)
    return before if same == before else replace(now, version=before.version + 1)
