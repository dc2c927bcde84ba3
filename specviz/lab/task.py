"""The lab's task in the engine process: one run of a sweep at a time, so that a visitor's run waits for one of them at most."""

from dataclasses import replace
from time import perf_counter

from specviz.lab import one_run
from specviz.lab.measuring import Bench, machine_of
from specviz.lab.plan import tasks
from specviz.models import Pair
from specviz.runs.race import Stopped
from specviz.runs.tasks import Work


def perform(work: Work) -> None:
    """Measure or calculate the run that is asked for; nothing is reported where it was stopped before it was over."""
    pair, wanted = work.require_pair(), one_run.asked(work.asked)
    bench = _bench(pair, wanted.sitting, work)
    began = perf_counter()
    try:
        found, recording = bench.one(wanted.plan, tasks(wanted.plan)[0])
    except Stopped:
        return
    found = replace(found, wall_s=perf_counter() - began)
    work.report(one_run.written(one_run.RunMade(found, recording, machine_of(pair, wanted.plan))))


def _bench(pair: Pair, sitting: str, work: Work) -> Bench:
    """The bench of the runs before, where they were of the same sitting with the same pair; it is dropped with the pair."""
    before = pair.kept.get(one_run.NAME)
    if isinstance(before, tuple) and before[0] == sitting:
        bench: Bench = before[1]
    else:
        bench = Bench(pair, lambda what: None, reserve=work.reserve)
        pair.kept[one_run.NAME] = (sitting, bench)
    bench.say, bench.stop = lambda what: work.progress(what, None), work.stopped
    return bench
