"""A race while it is recorded, for its followers: the lanes in words, and the rounds of each as they come. Makes no Streamlit call."""

import json
from typing import Any

from app.server.events import EventSource
from app.server.job import Job
from app.server.jobs import Jobs
from app.server.notifier import Notifier
from app.server.updates import LiveState
from app.stage import lanes
from specviz.wire import Lane


def race_source(jobs: Jobs, job: Job, rival: Job | None = None) -> EventSource:
    """The run of the pair, and that of the third lane where there is one.

    The slot `race` has the lanes without rounds; a log for each lane, by its index, has batches as in `Job.log`; `source0` and so on have what is
    known of the lanes before their rounds.
    """
    runs = [job] if rival is None else [job, rival]
    if rival is not None:
        rival.notifier.pass_on(job.notifier, 0.0)

    def read() -> LiveState:
        views = [jobs.view(run) for run in runs]
        entrants = [lanes.Entrant(view, run.request_as_run, None) for view, run in zip(views, runs, strict=True)]
        slots, logs = {"race": _nameless(lanes.race(*entrants, rounds=False))}, {}
        speculative = [(run, view, Lane.SPECULATIVE) for run, view in zip(runs, views, strict=True)]
        for index, (run, view, lane) in enumerate([(job, views[0], Lane.PLAIN), *speculative]):
            source = lanes.source(view, lane)
            if source is None:
                continue
            recorded = view["recording"] is not None
            known = {**source, "rounds": [], "tokens": {} if recorded else source["tokens"]}
            slots[f"source{index}"] = json.dumps(known)
            logs[f"lane{index}"] = (json.dumps(source),) if recorded else tuple(run.log[lane])
        epoch = "".join(f"{view['id']}{'r' if view['recording'] is not None else 'l'}" for view in views)
        return LiveState(slots, logs, epoch, over=all(run.over for run in runs))

    return EventSource(job.notifier, read, shared=True)


def recorded_source(view: dict[str, Any]) -> EventSource:
    """A race that is over, with its rounds in the lanes."""
    state = LiveState({"race": _nameless(view)}, epoch=view["id"], over=True)
    return EventSource(Notifier(), lambda: state, shared=True)


def _nameless(view: dict[str, Any]) -> str:
    """Without its id: by that of a run whoever has it could open it."""
    return json.dumps({name: value for name, value in view.items() if name != "id"})
