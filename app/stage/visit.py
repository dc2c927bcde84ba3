"""The runs of this visit: the request, what was measured, the recording. Bounded: the oldest are dropped first.

Makes no Streamlit call.
"""

import json
import zlib
from dataclasses import dataclass, replace

from app.server.job import Job
from specviz.known_pairs import sources_of
from specviz.reporting.run_figures import Figures, figures_of
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.earlier import Texts, newest
from specviz.trace.files import load
from specviz.trace.records import Trace

MAX_RUNS = 30
MAX_BYTES = 40_000_000


@dataclass(slots=True)
class VisitRun:
    """One run of the visit. While it is live, `job` has its state; afterwards there are `figures` and the packed recording.

    Attributes:
        own: whether later runs may copy from it: it was requested in this visit, not by somebody else's link, and is not forgotten.
        request: as it was made; once the run is over, with the settings that were chosen for what it left open.
        text: the ids of prompt and text of an own run that is over, until it is forgotten.
    """

    number: int
    id: str
    request: Request
    job: Job | None
    against: "VisitRun | None" = None
    figures: Figures | None = None
    packed: bytes = b""
    own: bool = False
    text: tuple[int, ...] = ()

    @property
    def prompt(self) -> str:
        """The text that was continued."""
        return self.request.prompt

    @property
    def pair(self) -> PairRequest:
        """The models, as they were requested."""
        return self.request.pair

    @property
    def settings(self) -> Settings:
        """The choices of the run."""
        return self.request.settings

    def traces(self) -> tuple[Trace, ...]:
        """The recording of a run that is over."""
        return load(json.loads(zlib.decompress(self.packed)))


class Visit:
    """The runs of one visitor, oldest first."""

    def __init__(self) -> None:
        self.runs: list[VisitRun] = []
        self._asked = 0

    def add(self, job: Job, rival: Job | None = None, *, own: bool = False) -> None:
        """Add a run, and the run of another draft that is compared with the plain lane of the first; nothing where it is there already.

        Args:
            own: whether both were requested in this visit, so that later runs may copy from them.
        """
        if any(run.id == job.id for run in self.runs):
            return
        first = self._add(job, None, own=own)
        if rival is not None:
            self._add(rival, first, own=own)
        del self.runs[:-MAX_RUNS]

    def settle(self) -> None:
        """Take in the runs that are over; a run without a recording is dropped."""
        for run in self.runs:
            if run.job is not None and run.job.over and run.job.recording is not None:
                _settle(run, run.job)
        self.runs = [run for run in self.runs if run.packed or (run.job is not None and not run.job.over)]
        while sum(len(run.packed) for run in self.runs) > MAX_BYTES:
            del self.runs[0]

    def of(self, job: Job | None) -> Figures | None:
        """The figures of a job, if it is over and still in the list."""
        return next((run.figures for run in self.runs if job is not None and run.id == job.id), None)

    def measured(self) -> list[VisitRun]:
        """The runs that are over and kept."""
        return [run for run in self.runs if run.figures is not None]

    def remembered(self, pair: PairRequest) -> Texts:
        """The texts of this visit with the same target, for drafters that copy from earlier texts; equal texts once, the newest stay."""
        texts = [run.text for run in self.runs if run.text and _target_of(run.pair) == _target_of(pair)]
        return newest(reversed(dict.fromkeys(reversed(texts))))

    def forget(self) -> None:
        """From now on nothing of the runs so far is remembered, also of one that goes on; they stay in the list."""
        for run in self.runs:
            run.own, run.text = False, ()

    def _add(self, job: Job, against: VisitRun | None, *, own: bool) -> VisitRun:
        self._asked += 1
        run = VisitRun(self._asked, job.id, job.request, job, against, own=own)
        self.runs.append(run)
        return run


def _settle(run: VisitRun, job: Job) -> None:
    assert job.recording is not None
    run.packed = zlib.compress(job.recording.encode("ascii"), 1)
    traces = load(json.loads(job.recording))
    plain = traces[1] if len(traces) > 1 else _plain_of(run.against)
    run.request = replace(run.request, settings=traces[0].settings)
    figures = figures_of(traces[0], plain, job.speedups, job.timed, job.conditions)
    first = run.against.figures if run.against is not None else None
    run.figures = figures if first is None or first.trusted else replace(figures, doubtful_plain=first)
    if run.own:
        run.text = (*traces[0].prompt_ids, *traces[0].token_ids)
    run.job = run.against = None


def _target_of(pair: PairRequest) -> str:
    """The target of these models, whose tokenizer made the ids of their texts."""
    named = sources_of(pair.name) if pair.name else None
    return named[0] if named else pair.target or ""


def _plain_of(run: VisitRun | None) -> Trace | None:
    traces = run.traces() if run is not None and run.packed else ()
    return traces[1] if len(traces) > 1 else None
