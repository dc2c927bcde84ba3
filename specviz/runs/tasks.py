"""The interface of the tasks of other packages, which `specviz.engine` lists, to the engine process."""

from collections.abc import Callable
from dataclasses import dataclass

from specviz.models import Pair


@dataclass(frozen=True, slots=True)
class Work:
    """A requested task.

    Attributes:
        pair: loaded and warm; None where the command named none.
        request: a record of the task's own package, as JSON text.
        report: send the results so far, as JSON text: each report replaces the one before.
        progress: show a step, and the share of it that is done, 0 to 1; None where that is not known.
        stopped: returns True when somebody pressed Stop: then end soon. The last report stays.
    """

    pair: Pair | None
    request: str
    report: Callable[[str], None]
    progress: Callable[[str, float | None], None]
    stopped: Callable[[], bool]

    def require_pair(self) -> Pair:
        """The pair, for a task that needs one."""
        assert self.pair is not None, "the command names a pair"
        return self.pair


# Performs a task and returns when it is over; raises SpecvizError, whose sentence the visitor reads, where that is impossible.
Task = Callable[[Work], None]
