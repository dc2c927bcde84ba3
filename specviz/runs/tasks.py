"""What a task of another package is given by the engine process. The tasks are listed in `specviz.engine`."""

from collections.abc import Callable
from dataclasses import dataclass

from specviz.models import Pair


@dataclass(frozen=True, slots=True)
class Work:
    """One task, as it was asked for.

    Attributes:
        pair: loaded and warm; None where the command named none.
        asked: a record of the task's own package, as JSON text.
        report: send what was found so far, as JSON text: each report replaces the one before.
        progress: say what is being done, and what share of it is done, 0 to 1; None where that is not known.
        stopped: whether somebody pressed Stop: then end soon. What was reported stays.
    """

    pair: Pair | None
    asked: str
    report: Callable[[str], None]
    progress: Callable[[str, float | None], None]
    stopped: Callable[[], bool]

    def require_pair(self) -> Pair:
        """The pair, for a task that needs one."""
        assert self.pair is not None, "the command names a pair"
        return self.pair


Task = Callable[[Work], None]
"""Performs a task and returns when it is over.

Raises:
    SpecvizError: it cannot be done; the sentence is shown to the person who asked.
"""
