"""The measured figures of a run, compared with its plain run: for the race, the runs of a visit, and the recorded runs of a site."""

from dataclasses import dataclass
from enum import StrEnum

from specviz.trace.conditions import Conditions
from specviz.trace.metrics import divergence, is_possible, most_possible, speedup, summarise
from specviz.trace.records import Stop, Trace


class Same(StrEnum):
    """The agreement of a text with the one that plain decoding wrote.

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
    """The figures of one speculative run; None where there is nothing to measure.

    `speedup` is the ratio of the two times for as many tokens, of the recorded runs; `speedups` has every pair that counts.
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
        """False for a speedup that can only come from a plain run that something slowed down."""
        return self.speedup is None or self.most is None or is_possible(self.speedup, self.most)

    @property
    def trusted(self) -> bool:
        """False for a speedup that a busy machine may have changed."""
        return self.possible and self.doubtful_plain is None and (self.conditions is None or self.conditions.trusted)


def figures_of(
    speculative: Trace,
    plain: Trace | None,
    speedups: tuple[float, ...] = (),
    timed: int = 1,
    conditions: Conditions | None = None,
) -> Figures:
    """The figures of a run, compared with its plain run."""
    summary = summarise(speculative)
    written = plain if plain is not None and plain.token_ids else None
    return Figures(
        tokens=len(summary.token_ids),
        passes=summary.rounds,
        acceptance_rate=summary.acceptance_rate,
        rate=summary.tokens_per_second,
        plain_rate=summarise(written).tokens_per_second if written else None,
        speedup=_speedup(written, speculative) if written else None,
        speedups=speedups,
        timed=timed,
        text=text_check(plain, speculative),
        stopped=summary.stop is Stop.CANCELLED,
        dtype=summary.dtype,
        conditions=conditions,
        most=most_possible(written, speculative) if written else None,
    )


def _speedup(plain: Trace, speculative: Trace) -> float | None:
    """None where plain decoding was stopped before it had as many tokens: then the ratio is that of a shorter run."""
    enough = plain.stop is not Stop.CANCELLED or len(plain.token_ids) >= len(speculative.token_ids)
    return speedup(plain, speculative) if enough else None


def text_check(plain: Trace | None, speculative: Trace) -> TextCheck:
    """The text of a run, compared with its plain run's."""
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
