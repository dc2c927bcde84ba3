"""This visit's runs: what was asked for, what was measured, the recording. Bounded: the oldest go first.

Makes no Streamlit call.
"""

import json
import zlib
from dataclasses import dataclass
from typing import Any

from app.jobs import Job
from specviz.trace.files import load
from specviz.trace.metrics import divergence, speedup, summarise
from specviz.trace.records import Stop, Trace

MAX_RUNS = 30
MAX_BYTES = 40_000_000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether a text is the one that plain decoding wrote.

    Attributes:
        kind: same; parts (the texts part); cut (one was stopped, and they agree as far as both go); chance (above
            temperature 0 they need not agree); lossy (the rule does not even promise the distribution); unknown (there is no plain text).
        compared: tokens that both have.
        index, plain, speculative, gap: where they part, the two tokens there, and how far the plain run's two best
            logits lie apart.
    """

    kind: str
    compared: int = 0
    index: int = 0
    plain: str = ""
    speculative: str = ""
    gap: float | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one speculative run; None where there is nothing to tell.

    `speedup` is the ratio of the two times for as many tokens, of the runs that are kept; `speedups` has every pair.
    """

    tokens: int
    passes: int
    acceptance_rate: float | None
    rate: float
    plain_rate: float | None
    speedup: float | None
    speedups: tuple[float, ...]
    timed: int
    agreement: Agreement
    stopped: bool
    dtype: str


@dataclass(slots=True)
class VisitRun:
    """One run of the visit. While it goes on `job` knows it, afterwards `figures` and the packed recording."""

    number: int
    id: str
    prompt: str
    pair: dict[str, Any]
    settings: dict[str, Any]
    job: Job | None
    against: "VisitRun | None" = None
    figures: Figures | None = None
    packed: bytes = b""

    def recording(self) -> dict[str, Any]:
        """The recording of a run that is over."""
        found: dict[str, Any] = json.loads(zlib.decompress(self.packed))
        return found


class Visit:
    """The runs of one visitor, oldest first."""

    def __init__(self) -> None:
        self.runs: list[VisitRun] = []
        self._asked = 0

    def add(self, job: Job, rival: Job | None = None) -> None:
        """A run, and the run of another draft that is measured against the plain lane of the first."""
        first = self._add(job, None)
        if rival is not None:
            self._add(rival, first)
        del self.runs[:-MAX_RUNS]

    def settle(self) -> None:
        """Take in what has come to its end; a run of which nothing is left is forgotten."""
        for run in self.runs:
            if run.job is not None and run.job.over and run.job.recording is not None:
                _settle(run, run.job)
        self.runs = [run for run in self.runs if run.packed or (run.job is not None and not run.job.over)]
        while sum(len(run.packed) for run in self.runs) > MAX_BYTES:
            del self.runs[0]

    def of(self, job: Job | None) -> Figures | None:
        """The figures of a job, if it is over and still remembered."""
        return next((run.figures for run in self.runs if job is not None and run.id == job.id), None)

    def measured(self) -> list[VisitRun]:
        """The runs that are over and kept."""
        return [run for run in self.runs if run.figures is not None]

    def _add(self, job: Job, against: VisitRun | None) -> VisitRun:
        self._asked += 1
        command = job.command
        run = VisitRun(self._asked, job.id, command["prompt"], command["pair"], command["settings"], job, against)
        self.runs.append(run)
        return run


def _settle(run: VisitRun, job: Job) -> None:
    assert job.recording is not None
    traces = load(job.recording)
    plain = traces[1] if len(traces) > 1 else _plain_of(run.against)
    run.figures = figures_of(traces[0], plain, tuple(job.speedups), job.timed)
    run.packed = zlib.compress(json.dumps(job.recording, separators=(",", ":")).encode(), 1)
    run.job = run.against = None


def _plain_of(run: VisitRun | None) -> Trace | None:
    if run is None or not run.packed:
        return None
    traces = load(run.recording())
    return traces[1] if len(traces) > 1 else None


def figures_of(speculative: Trace, plain: Trace | None, speedups: tuple[float, ...] = (), timed: int = 1) -> Figures:
    """The figures of a run and of the plain run it is held against."""
    summary = summarise(speculative)
    both = plain is not None and bool(plain.token_ids)
    return Figures(
        tokens=len(summary.token_ids),
        passes=summary.rounds,
        acceptance_rate=summary.acceptance_rate,
        rate=summary.tokens_per_second,
        plain_rate=summarise(plain).tokens_per_second if plain is not None and both else None,
        speedup=_speedup(plain, speculative) if plain is not None and both else None,
        speedups=speedups,
        timed=timed,
        agreement=_agreement(plain, speculative),
        stopped=summary.stop is Stop.CANCELLED,
        dtype=summary.dtype,
    )


def _speedup(plain: Trace, speculative: Trace) -> float | None:
    """None where plain decoding was stopped before it had as many tokens: it would be another run's figure."""
    whole = plain.stop is not Stop.CANCELLED or len(plain.token_ids) >= len(speculative.token_ids)
    return speedup(plain, speculative) if whole else None


def _agreement(plain: Trace | None, speculative: Trace) -> Agreement:
    if plain is None or not plain.token_ids:
        return Agreement("unknown")
    if speculative.settings.lossy:
        return Agreement("lossy")
    if not speculative.settings.certain:
        return Agreement("chance")
    compared = min(len(plain.token_ids), len(speculative.token_ids))
    try:
        parted = divergence(plain, speculative)
    except ValueError:
        return Agreement("cut", compared)
    if parted is None:
        return Agreement("same", compared)

    def text(trace: Trace, token: int) -> str:
        return trace.tokens[token].data.decode("utf-8", errors="replace")

    return Agreement(
        "parts",
        compared,
        parted.index,
        text(plain, parted.plain_token),
        text(speculative, parted.speculative_token),
        parted.gap,
    )
