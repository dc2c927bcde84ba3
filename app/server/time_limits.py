"""How long a job may take, and an engine be silent. Pure: no thread, no clock, no engine."""

from dataclasses import dataclass

from app.server.job import Job, Status
from specviz.wire import Perform

RUN_LIMIT_S = 600.0
"""How long one run may keep its engine from everybody else."""

SILENCE_LIMIT_S = 900.0
"""An engine that reports nothing for so long is taken for lost. Reading a large model from a slow disk can take minutes."""

STOP_S = 5.0
"""What is prepared for a run may end by itself for so long after Stop; then its process is ended, which costs everybody the loaded pair."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A limit that a job has broken.

    Attributes:
        status: what the job is then, at once, together with its engine, which is started again; None: it is asked to end, and keeps what
            it has.
        message: one sentence for the person who waits.
    """

    status: Status | None
    message: str


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds that are allowed; see the constants of this module.

    Attributes:
        whole_seconds: the limit of a run as the host gave it; None where the host gave none.
    """

    run_s: float = RUN_LIMIT_S
    silence_s: float = SILENCE_LIMIT_S
    stop_s: float = STOP_S
    whole_seconds: int | None = None

    def broken(self, job: Job, now: float) -> Broken | None:
        """The limit that a job which was sent to an engine has broken at this moment, first of all that of a silent engine."""
        assert job.began is not None, "a job that was sent"
        assert job.heard is not None, "a job that was sent"
        if now - job.heard > self.silence_s:
            minutes = f"{self.silence_s / 60:.3g}"
            return Broken(
                Status.FAILED,
                f"The engine reported nothing for {minutes} minutes and was started again: press Run.",
            )
        if job.status is Status.LOADING and job.stopped is not None and now - job.stopped > self.stop_s:
            return Broken(Status.CANCELLED, "Stopped while the run was being prepared.")
        if job.status is Status.RUNNING and now - (job.counts or job.began) > self.run_s and not job.over_limit:
            limit = f"{self.whole_seconds} seconds" if self.whole_seconds else f"{self.run_s / 60:.3g} minutes"
            less = "less" if isinstance(job.command, Perform) else "fewer new tokens"
            return Broken(None, f"Stopped after {limit}, the limit of a run: request {less}.")
        return None
