"""The latest runs and tasks of all visitors, found again by their ids: a reload and a link show what was there. Makes no Streamlit call."""

from app.server.job import Job
from specviz.wire import Perform, RunPrompt

KEPT_RUNS, KEPT_LETTERS = 200, 20_000_000
"""How many runs of all visitors can be shown again, and how long everything that is kept of them may be together, written as text."""


class KeptRuns:
    """Jobs by their ids; where there are too many, the oldest that are over are dropped."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def add(self, job: Job) -> None:
        """Keep a job."""
        self._jobs[job.id] = job
        spare = KEPT_LETTERS
        for place, (name, known) in enumerate(reversed([*self._jobs.items()])):
            spare -= known.letters
            if known.over and (place >= KEPT_RUNS or spare < 0):
                del self._jobs[name]

    def run(self, name: str) -> Job | None:
        """The run with this id, as long as it is kept."""
        found = self._jobs.get(name)
        return found if found is not None and isinstance(found.command, RunPrompt) else None

    def task(self, name: str, task: str) -> Job | None:
        """The job with this id, if it is a task of this name, as long as it is kept."""
        found = self._jobs.get(name)
        asked = None if found is None else found.command
        return found if isinstance(asked, Perform) and asked.task == task else None
