"""A comparison of a visit, requested run by run, so that whoever else waits has a turn in between. Makes no Streamlit call."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.server.job import Job, Status
from specviz.comparison import planning, results
from specviz.reporting.run_figures import figures_of
from specviz.request import Request
from specviz.trace.files import load


@dataclass(slots=True)
class VisitComparison:
    """The runs of a plan and what was measured of them.

    Attributes:
        jobs: of the cells that were requested, by their index.
        rows: what was measured, of those that are over.
    """

    plan: planning.ComparisonPlan
    jobs: dict[int, Job] = field(default_factory=dict)
    rows: dict[int, results.ComparisonRow] = field(default_factory=dict)
    stopped: bool = False

    @property
    def live(self) -> bool:
        """True if it goes on."""
        return not self.stopped and len(self.rows) < len(self.plan.cells)

    @property
    def current(self) -> Job | None:
        """The run that is waited for."""
        return next((job for index, job in self.jobs.items() if index not in self.rows), None)

    def advance(self, run: Callable[[Request], Job]) -> None:
        """Take in a run that is over, and request the next one."""
        for index, job in self.jobs.items():
            if index not in self.rows and job.over:
                self._take_in(index, job)
        if self.live and self.current is None:
            index = next(index for index in range(len(self.plan.cells)) if index not in self.rows)
            self.jobs[index] = run(self.plan.cells[index].request)

    def _take_in(self, index: int, job: Job) -> None:
        if job.status is Status.DONE and (recording := job.recording_json()) is not None:
            speculative, *others = load(recording)
            figures = figures_of(speculative, next(iter(others), None), job.speedups, job.timed, job.conditions)
            self.rows[index] = results.row_of(self.plan.cells[index], figures)
        elif job.status is Status.FAILED or job.over_limit:
            self.rows[index] = results.ComparisonRow(dict(self.plan.cells[index].at), why=job.message)
        else:  # stopped here, or by another run of this visitor: it can be requested again
            self.stopped = True

    def resume(self) -> None:
        """Go on with what is missing; a run that was cancelled is requested again, also while it still ends."""
        self.stopped = False
        self.jobs = {index: job for index, job in self.jobs.items() if index in self.rows}

    def stop(self, cancel: Callable[[Job], None]) -> None:
        """Stop; what was measured stays."""
        self.stopped = True
        if self.current is not None:
            cancel(self.current)

    def table(self) -> results.Comparison:
        """The measured rows as a table."""
        cards = [job.run_card for job in self.jobs.values() if job.run_card is not None]
        about = f"{cards[0].target.name} in {cards[0].dtype} on {cards[0].device}" if cards else ""
        rows = tuple(self.rows[index] for index in sorted(self.rows))
        return results.Comparison(self.plan.varied, rows, len(self.plan.cells), about)
