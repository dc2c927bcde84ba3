"""A run that was watched, timed again: every lane once more, and the figure that its turns are compared by."""

from collections.abc import Callable, Sequence

from specviz.runs.load_watch import CoreTime
from specviz.runs.race import Timed
from specviz.runs.run import Run
from specviz.trace.metrics import most_possible, speedup
from specviz.trace.records import Trace
from specviz.wire import Lane


def timed_again(
    new: Callable[[Lane], Run], lanes: Sequence[Lane], before: Timed, *, first: Lane
) -> tuple[Timed, list[CoreTime]] | None:
    """Every lane once more, each alone, starting with the lane `first`, and the time of each; None where the rounding of the
    device changed the tokens, so that they are not those that were watched."""
    runs: dict[Lane, Trace] = {}
    times = []
    for lane in sorted(lanes, key=lambda lane: lane is not first):
        run = new(lane)
        with CoreTime() as time:
            runs[lane] = run.finish()
        times.append(time)
    again = tuple(runs[lane] for lane in lanes)
    same = all(_steps(now) == _steps(then) for now, then in zip(again, before, strict=True))
    return (again, times) if same else None


def figure(runs: Timed) -> float:
    """What the turns of a job are compared by: the speedup, or the seconds of a run alone."""
    return speedup(runs[1], runs[0]) if len(runs) > 1 else runs[0].rounds[-1].ended_s


def most(runs: Timed) -> float | None:
    """The largest speedup that the tokens per pass allow; None of a run alone."""
    return most_possible(runs[1], runs[0]) if len(runs) > 1 else None


def _steps(trace: Trace) -> list[tuple[tuple[int, ...], ...]]:
    """What was drafted and what was written, round by round."""
    return [(tuple(d.token for d in round_.drafted), round_.tokens) for round_ in trace.rounds]
