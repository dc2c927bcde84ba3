"""The lab's task in the engine process, and what its commands call for the same answer: one request at a time."""

from contextlib import suppress

from specviz.lab import service, study
from specviz.lab.costs import watched_costs
from specviz.lab.guests import Surface
from specviz.lab.measuring import Bench, machine_of
from specviz.lab.plan import tasks
from specviz.lab.profiling import profile_of
from specviz.lab.texts import of_prompts, of_text, piece
from specviz.models import Pair
from specviz.runs.race import Stopped
from specviz.runs.tasks import Work


def perform(work: Work) -> None:
    """Answer what is asked for; nothing is reported where it was stopped before it was over.

    Raises:
        SpecvizError: it cannot be done; the sentence is for the person who asked.
    """
    asked, sitting = study.requested(work.asked)
    with suppress(Stopped):
        if isinstance(asked, study.ServerAsked):
            found: study.Answer = simulated(asked, work)
        else:
            found = answer(asked, _bench(work.require_pair(), sitting, work))
        work.report(study.written(found))


def answer(asked: study.Asked, bench: Bench) -> study.Answer:
    """The answer to what is asked of this bench's pair. Nothing else should run on the machine meanwhile.

    Raises:
        Stopped: it was stopped.
        SpecvizError: it cannot be done.
    """
    pair = bench.pair
    match asked:
        case study.RunAsked(plan):
            found, recording = bench.one(plan, tasks(plan)[0])
            return study.RunMade(found, recording, machine_of(pair, plan.models.dtype))
        case study.CalculationAsked(plan):
            return study.Calculated(bench.calculated(plan))
        case study.TextsAsked():
            return _texts(asked, bench)
        case study.CostsAsked():
            pair.require_draft()
            bench.say("measuring what passes cost")
            return watched_costs(pair, "model")
        case study.ProfileAsked():
            return profile_of(
                pair, asked.name, asked.by, bench.say, sweeps=asked.sweeps, limit_s=asked.limit_s, stop=bench.stop
            )
        case study.ServerAsked():
            raise AssertionError("no pair is needed for it")


def simulated(asked: study.ServerAsked, work: Work) -> study.ServerFound:
    """Every way to serve, simulated.

    Raises:
        Stopped: it was stopped.
    """
    surface, rows = Surface(asked.target, asked.draft), []
    for mode in service.MODES:
        _say(work, f"simulating {asked.load.rate:.3g} requests a second")
        rows.append(service.simulate(surface, asked.load, mode))
    return study.ServerFound(tuple(rows))


def _texts(asked: study.TextsAsked, bench: Bench) -> study.TextsFound:
    pair = bench.pair
    pair.require_draft()
    machine = machine_of(pair, "auto")
    if not asked.own:
        bench.say(f"{asked.name}: the target writes, then target and draft read")
        kind = of_prompts(pair, asked.name, asked.prompts, asked.settings, template=asked.template)
        return study.TextsFound(kind, "", False, machine)
    bench.say(f"{asked.name}: target and draft read the text")
    kind = of_text(pair, asked.name, asked.own, asked.settings, asked.most)
    ids = pair.text.encode(asked.own, template=False)
    return study.TextsFound(kind, piece(pair, ids[0]), len(ids) > asked.most + 1, machine)


def _bench(pair: Pair, sitting: str, work: Work) -> Bench:
    """The bench of the requests before, where they were of the same sitting with the same pair; it is dropped with the pair."""
    before = pair.kept.get(study.NAME)
    if isinstance(before, tuple) and before[0] == sitting:
        bench: Bench = before[1]
    else:
        bench = Bench(pair, lambda what: None, reserve=work.reserve)
        pair.kept[study.NAME] = (sitting, bench)
    bench.say, bench.stop = lambda what: _say(work, what), work.stopped
    return bench


def _say(work: Work, what: str) -> None:
    """Say what is being done; between two steps Stop is seen.

    Raises:
        Stopped: somebody pressed Stop.
    """
    if work.stopped():
        raise Stopped
    work.progress(what, None)
