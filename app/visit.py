"""The runs of this visit: the request, what was measured, the recording. Bounded: the oldest are dropped first.

Makes no Streamlit call.
"""

import json
import zlib
from dataclasses import dataclass, replace
from enum import StrEnum

from app.job import Job
from specviz.known_pairs import offered
from specviz.request import PairAsked, Request
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.trace.earlier import Texts, newest
from specviz.trace.files import load
from specviz.trace.metrics import divergence, most_possible, possible, speedup, summarise
from specviz.trace.records import Stop, Trace

MAX_RUNS = 30
MAX_BYTES = 40_000_000


class Same(StrEnum):
    """Whether a text is the one that plain decoding wrote.

    SAME, DIFFERS: in every token, or not. CUT: one run was stopped, and they agree as far as both go. RANDOM: above temperature 0
    the two texts need not agree. LOSSY: the rule does not even keep the distribution. UNKNOWN: there is no plain text.
    """

    SAME = "same"
    DIFFERS = "differs"
    CUT = "cut"
    RANDOM = "random"
    LOSSY = "lossy"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TextCheck:
    """A text compared with the one that plain decoding wrote.

    Attributes:
        same: the outcome.
        compared: how many tokens both have.
        index, plain, speculative, gap: the first position where they differ, the two tokens there, and the difference between
            the plain run's two best logits.
    """

    same: Same
    compared: int = 0
    index: int = 0
    plain: str = ""
    speculative: str = ""
    gap: float | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one speculative run; None where there is nothing to measure.

    `speedup` is the ratio of the two times for as many tokens, of the runs that are kept; `speedups` has every pair that counts.
    `conditions` says whether other programs disturbed it; None where that is not known. `doubtful_plain` are
    the figures of the run whose plain run it is compared with, where that is another run and its times are not trusted. `most` is
    the largest speedup that the tokens per pass allow.
    """

    tokens: int
    passes: int
    acceptance_rate: float | None
    rate: float
    plain_rate: float | None
    speedup: float | None
    speedups: tuple[float, ...]
    timed: int
    text: TextCheck
    stopped: bool
    dtype: str
    conditions: Conditions | None = None
    doubtful_plain: "Figures | None" = None
    most: float | None = None

    @property
    def possible(self) -> bool:
        """Whether the speedup can be: not where something slowed the plain run down."""
        return self.speedup is None or self.most is None or possible(self.speedup, self.most)

    @property
    def trusted(self) -> bool:
        """Whether the speedup is a figure, and not what a busy machine made of it."""
        return self.possible and self.doubtful_plain is None and (self.conditions is None or self.conditions.trusted)


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
    def pair(self) -> PairAsked:
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

    def remembered(self, pair: PairAsked) -> Texts:
        """What this visit has written with the same target, for drafters that copy from earlier texts; equal texts once, the newest stay."""
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


def _target_of(pair: PairAsked) -> str:
    """The target of these models, whose tokenizer made the ids of their texts."""
    named = offered(pair.name) if pair.name else None
    return named[0] if named else pair.target or ""


def _plain_of(run: VisitRun | None) -> Trace | None:
    traces = run.traces() if run is not None and run.packed else ()
    return traces[1] if len(traces) > 1 else None


def figures_of(
    speculative: Trace,
    plain: Trace | None,
    speedups: tuple[float, ...] = (),
    timed: int = 1,
    conditions: Conditions | None = None,
) -> Figures:
    """The figures of a run, compared with its plain run."""
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
        text=_checked(plain, speculative),
        stopped=summary.stop is Stop.CANCELLED,
        dtype=summary.dtype,
        conditions=conditions,
        most=most_possible(plain, speculative) if plain is not None and both else None,
    )


def _speedup(plain: Trace, speculative: Trace) -> float | None:
    """None where plain decoding was stopped before it had as many tokens: then the ratio is that of a shorter run."""
    enough = plain.stop is not Stop.CANCELLED or len(plain.token_ids) >= len(speculative.token_ids)
    return speedup(plain, speculative) if enough else None


def _checked(plain: Trace | None, speculative: Trace) -> TextCheck:
    if plain is None or not plain.token_ids:
        return TextCheck(Same.UNKNOWN)
    if speculative.settings.lossy:
        return TextCheck(Same.LOSSY)
    if not speculative.settings.certain:
        return TextCheck(Same.RANDOM)
    compared = min(len(plain.token_ids), len(speculative.token_ids))
    try:
        first = divergence(plain, speculative)
    except ValueError:
        return TextCheck(Same.CUT, compared)
    if first is None:
        return TextCheck(Same.SAME, compared)

    def text(trace: Trace, token: int) -> str:
        return trace.tokens[token].data.decode("utf-8", errors="replace")

    return TextCheck(
        Same.DIFFERS,
        compared,
        first.index,
        text(plain, first.plain_token),
        text(speculative, first.speculative_token),
        first.gap,
    )
