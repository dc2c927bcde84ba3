"""Carries out the runs of a sweep and stores each when it is over: what is missing is measured, so a sweep that was stopped goes on."""

import gc
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import groupby
from time import perf_counter

from specviz.bench.machine import this_machine
from specviz.errors import InputError
from specviz.lab.axes import DTYPE
from specviz.lab.measuring import Bench, Say
from specviz.lab.plan import Plan, duration, run_seconds, time_left, title, values_at
from specviz.lab.store import Store, measured_elsewhere
from specviz.models import Pair, load_pair


def load(plan: Plan, dtype: str, say: Say) -> Pair:
    """The pair of a plan in this number format."""
    models = plan.models
    return load_pair(
        models.pair or None,
        target=models.target or None,
        draft=models.draft or None,
        head=models.head or None,
        device=models.device,
        dtype=dtype,
        progress=lambda what, share: say(what),
    )


def carry_out(
    store: Store,
    name: str,
    say: Say,
    *,
    stop: Callable[[], bool] = lambda: False,
    only: Collection[int] | None = None,
    pair: Pair | None = None,
) -> int:
    """Measure what is missing of a stored sweep; returns how many runs were made. Nothing else should run on the machine meanwhile.

    Args:
        say: called with the next step and the time left, never during a measurement.
        stop: checked between runs; what was measured stays.
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
    first_s = store.run_seconds()
    spent: list[float] = []
    for dtype, group in groupby(missing, key=lambda task: values_at(plan, task).get(DTYPE, plan.models.dtype)):
        if stop():
            break
        usable = pair if pair is not None and dtype in ("auto", pair.card.dtype) else load(plan, dtype, say)
        if why := measured_elsewhere(sweep.machine, this_machine(usable.target.device).words):
            raise InputError(why)
        bench = Bench(usable, say)
        for task in group:
            if stop():
                return len(spent)
            estimated = run_seconds(plan, task, bench.known, bench.pass_s) if first_s is None else first_s
            left = time_left(spent, len(missing) - len(spent), estimated)
            say(f"run {len(spent) + 1} of {len(missing)}, about {duration(left)} left: {title(plan, task)}")
            began = perf_counter()
            found, recording = bench.one(plan, task)
            found = replace(found, wall_s=perf_counter() - began)
            store.keep(name, found, recording)
            spent.append(perf_counter() - began)
        del bench, usable
        gc.collect()
    return len(spent)
