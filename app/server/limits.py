"""Which jobs a server takes, and for how long: what its host allows, and how many may wait. Makes no Streamlit call.

It is checked where jobs are submitted, whatever the page shows: a visitor can write any address, and send any message.
"""

from contextlib import suppress
from dataclasses import dataclass

from app.server.job import Job, Status
from app.server.visitors import NOBODY
from specviz.audit.messages import AUDIT, AuditRequest, decode
from specviz.errors import SpecvizError
from specviz.request import PairRequest
from specviz.serving.hosting import Hosting
from specviz.wire import JobCommand, Load, Perform, RunPrompt, pair_of

MOST_WAITING, WAITING_OF_ADDRESS = 400, 200  # jobs that wait at a time: of all, and of one address


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long an engine may take.

    Attributes:
        most_s: for how long a run may keep its engine from everybody else, where the host set it; else `usual_s`.
        silence_s: an engine that reports nothing for so long is lost; reading a large model from a slow disk takes minutes.
        stop_s: what is prepared for a run may end by itself for so long after Stop; then its process is ended, with the loaded pair.
    """

    most_s: int | None = None
    usual_s: float = 600.0
    silence_s: float = 900.0
    stop_s: float = 5.0

    def lost(self, job: Job, now: float) -> tuple[Status, str] | None:
        """How a job ends whose engine has to be started again; None where it goes on."""
        if now - (job.reported_at or job.sent_at or now) > self.silence_s:
            minutes = f"{self.silence_s / 60:.3g}"
            again = f"The engine reported nothing for {minutes} minutes and was started again: press Run."
            return Status.FAILED, again
        if job.status is Status.LOADING and job.cancelled_at is not None and now - job.cancelled_at > self.stop_s:
            return Status.CANCELLED, "Stopped while the run was being prepared."
        return None

    def exceeded(self, job: Job, now: float) -> str:
        """Why a run that takes too long is stopped, once; "" where it goes on."""
        seconds = now - (job.loaded_at or job.sent_at or now)
        if job.status is not Status.RUNNING or seconds <= (self.most_s or self.usual_s) or job.over_limit:
            return ""
        limit = f"{self.most_s} seconds" if self.most_s else f"{self.usual_s / 60:.3g} minutes"
        less = "less" if isinstance(job.command, Perform) else "fewer new tokens"
        return f"Stopped after {limit}, the limit of a run: request {less}."


def full(hosting: Hosting, command: JobCommand, visitor: str, waiting: int, of_address: int) -> str:
    """Why this job gets no position in the queue, where so many wait, so many of them from the same address; "" where it gets one."""
    if isinstance(command, Load):
        return ""
    if hosting.classroom and not visitor:
        return NOBODY
    if waiting < MOST_WAITING and of_address < WAITING_OF_ADDRESS:
        return ""
    return f"{waiting} jobs wait on this server, which is too many: try again in a minute."


def refusal(hosting: Hosting, command: JobCommand) -> str:
    """Why the host does not allow this job, in one sentence; "" where it is allowed."""
    if not hosting.classroom:
        return ""
    if (pair := pair_of(command)) is not None and (refused := refused_models(hosting, pair)):
        return refused
    tokens, prompt = 0, ""
    if isinstance(command, RunPrompt):
        tokens, prompt = command.request.settings.max_new_tokens, command.request.prompt
    elif isinstance(command, Perform):
        prompt = command.asked
        if command.task == AUDIT:
            with suppress(ValueError, SpecvizError):  # the engine says what is wrong with it
                audit = decode(AuditRequest, command.asked)
                tokens, prompt = audit.settings.max_new_tokens, audit.prompt
    return hosting.tokens_refused(tokens) or hosting.prompt_refused(len(prompt))


def refused_models(hosting: Hosting, pair: PairRequest) -> str:
    """Why the host does not allow these models; "" where they are allowed."""
    allowed = hosting.pairs is None or pair in map(PairRequest, hosting.pairs)
    return "" if allowed else hosting.models_refused
