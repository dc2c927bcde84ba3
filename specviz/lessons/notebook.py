"""`specviz.show`: a run or a race in a notebook, at a moment of it."""

from dataclasses import asdict, dataclass
from pathlib import Path

from specviz.errors import InputError
from specviz.lessons.moments import read_moment
from specviz.lessons.reading import lesson_recording
from specviz.reporting.player.html_page import notebook_frame
from specviz.trace.conditions import RacedTraces
from specviz.trace.records import Trace


@dataclass(frozen=True, slots=True, repr=False)
class NotebookView:
    """A run or a race as HTML, which a notebook shows when it is on the last line of a cell."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def show(run: Trace | RacedTraces, at: str | None = None) -> NotebookView:
    """The player with a run inside, or the lanes of a race. Raises InputError if the moment is none of this run, or a race has none;
    TraceError if there is no round to play.

    Args:
        run: from `run.trace()` or `race.trace()`.
        at: the moment at which a run opens, paused, in the words of a lesson, as "round 3, verified". Without it the run opens on its title.
    """
    if isinstance(run, RacedTraces):
        if at is not None:
            raise InputError(
                f"at was {at!r:.60}, and a race plays from its start: leave it out, or show one of its runs."
            )
        return NotebookView(notebook_frame(run))
    try:
        moment = None if at is None else asdict(read_moment(at, lesson_recording("run", Path("run"), (run,))))
    except ValueError as error:
        raise InputError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    return NotebookView(notebook_frame(run, moment))
