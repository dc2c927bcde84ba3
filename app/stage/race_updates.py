"""A race while it is recorded, for who follows it (`app.server.updates`): the lanes in words, and the rounds of each as they come. Makes no
Streamlit call."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from app.server.bell import Bell
from app.server.job import Job, Json
from app.server.jobs import Jobs
from app.server.updates import Now
from app.stage import lanes
from specviz.wire import Lane


@dataclass(frozen=True, slots=True)
class RaceFollowed:
    """The run of the pair, and that of the third lane where there is one."""

    jobs: Jobs
    job: Job
    rival: Job | None = None

    @property
    def bell(self) -> Bell:
        """Is rung when one of them has news."""
        if self.rival is not None:
            self.rival.bell.also(self.job.bell, 0.0)
        return self.job.bell

    def now(self) -> Now:
        """The lanes without rounds in the slot `race`; a log for each lane, by its index, of batches as in `Job.log`; what is known of the runs
        before their rounds in `source0` and so on."""
        runs = [self.job] if self.rival is None else [self.job, self.rival]
        views = [self.jobs.view(run) for run in runs]
        shown = lanes.race(
            *(lanes.Entrant(view, run.ran, None) for view, run in zip(views, runs, strict=True)), rounds=False
        )
        slots, logs = {"race": json.dumps(shown)}, {}
        for index, (run, view, lane) in enumerate(self._lanes(views)):
            source = lanes.source(view, lane)
            recorded = view["recording"] is not None
            if source is None:
                continue
            slots[f"source{index}"] = json.dumps(
                {**source, "rounds": [], "tokens": {} if recorded else source["tokens"]}
            )
            logs[f"lane{index}"] = [json.dumps(source)] if recorded else tuple(run.log[lane])
        epoch = "".join(f"{view['id']}{'r' if view['recording'] is not None else 'l'}" for view in views)
        return Now(slots, logs, epoch, over=all(run.over for run in runs))

    def _lanes(self, views: Sequence[Json]) -> list[tuple[Job, Json, Lane]]:
        """The runs of the lanes, in their order on the page."""
        found = [(self.job, views[0], Lane.PLAIN), (self.job, views[0], Lane.SPECULATIVE)]
        return found if self.rival is None else [*found, (self.rival, views[1], Lane.SPECULATIVE)]
