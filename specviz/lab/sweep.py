"""Carries out a sweep: what is missing is measured, so a sweep that was stopped goes on."""

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from specviz.errors import InputError
from specviz.lab.axes import DTYPE
from specviz.lab.measuring import Bench, Say
from specviz.lab.plan import Models, SweepPlan, Task, duration, run_seconds, time_left, title, values_at
from specviz.lab.results import Found
from specviz.lab.store import Store, measured_elsewhere
from specviz.models import Pair, load_pair
from specviz.reporting.machine import this_machine
from specviz.reporting.progress import with_share


def load(models: Models, say: Say, *, dtype: str = "") -> Pair:
    """The pair of these models.

    Args:
        dtype: instead of the models' own number format.
    """
    return load_pair(
        models.pair or None,
        target=models.target or None,
        draft=models.draft or None,
        head=models.head or None,
        device=models.device,
        dtype=dtype or models.dtype,
        progress=with_share(say),
    )


def measured(
    plan: SweepPlan,
    missing: Sequence[Task],
    bench_for: Callable[[str], Bench],
    say: Say,
    *,
    stop: Callable[[], bool] = lambda: False,
    first_s: float | None = None,
) -> Iterator[tuple[Found, str | None]]:
    """Measure these runs, and yield what was found and its recording after each. Nothing else should run on the machine meanwhile.

    Args:
        bench_for: loads the pair in a number format; of several formats only one is in memory at a time.
        say: called with the next step and the time left, never during a measurement.
        stop: checked between runs.
        first_s: the estimate of a run, used before any was measured.
    """
    spent: list[float] = []
    for dtype, group in groupby(missing, key=lambda task: values_at(plan, task).get(DTYPE, plan.models.dtype)):
        if stop():
            return
        bench = bench_for(dtype)
        for task in group:
            if stop():
                return
            estimated = run_seconds(plan, task, bench.known, bench.pass_s) if first_s is None else first_s
            left = time_left(spent, len(missing) - len(spent), estimated)
            say(f"run {len(spent) + 1} of {len(missing)}, about {duration(left)} left: {title(plan, task)}")
            found, recording = bench.one(plan, task)
            spent.append(found.wall_s)
            yield found, recording
        del bench
        gc.collect()


def carry_out(
    store: Store,
    name: str,
    say: Say,
    *,
    stop: Callable[[], bool] = lambda: False,
    only: Collection[int] | None = None,
    pair: Pair | None = None,
) -> int:
    """Measure what is missing of a stored sweep, and store each run when it is over; returns how many were made.

    Args:
        say, stop: as in `measured`; what was measured stays.
        only: these runs, measured for real even where they were replanned or measured before.
        pair: a loaded one, used for its own number format.

    Raises:
        InputError: there is no such sweep, or it was measured on another machine.
        SpecvizError: the models cannot be loaded, or the device was lost; what was measured stays.
    """
    sweep = store.sweep(name)
    plan = sweep.plan if only is None else replace(sweep.plan, shortcut=False)
    done = {each.task for each in sweep.found}
    missing = [task for task in sweep.tasks if (task.index in only if only is not None else task.index not in done)]

    def bench_for(dtype: str) -> Bench:
        usable = (
            pair if pair is not None and dtype in ("auto", pair.card.dtype) else load(plan.models, say, dtype=dtype)
        )
        if why := measured_elsewhere(sweep.machine, this_machine(usable.target.device).words):
            raise InputError(why)
        return Bench(usable, say)

    made = 0
    for found, recording in measured(plan, missing, bench_for, say, stop=stop, first_s=store.run_seconds()):
        store.keep(name, found, recording)
        made += 1
    return made
