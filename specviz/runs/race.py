"""A fair race: plain and speculative decoding, each alone and warmed up, in alternating order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.errors import SettingsError
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import Divergence, Summary, divergence, speedup, summarise
from specviz.trace.records import Trace

Timed = tuple[Trace, ...]
"""A speculative run and its plain run, if there is one."""

_WARM_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Race:
    """The outcome of a race.

    Attributes:
        plain, speculative: figures of the run with the median time on each side.
        speedups: plain seconds / speculative seconds of each pair of runs, in the order they ran.
        same_text: whether both texts are equal; None above temperature 0 without shared noise, where the random numbers differ.
        first_divergence: where the texts first differ, or None.
        recorded: the speculative run and the plain one of the pair with the median speedup.
    """

    plain: Summary
    speculative: Summary
    speedups: tuple[float, ...]
    same_text: bool | None
    first_divergence: Divergence | None
    recorded: tuple[Trace, ...] = ()

    @property
    def speedup(self) -> float:
        """Median over the pairs of runs."""
        return median(self.speedups)


def race(
    pair: Pair,
    prompt: str,
    settings: Settings | None = None,
    repeats: int = 3,
    *,
    template: bool = True,
    recorder: Recorder = LIGHT,
) -> Race:
    """Run both sides `repeats` times in turn, after a short warm-up of each.

    Args:
        settings: the choices of the speculative side; by default those of `Settings()`.
        recorder: what is recorded of the rounds, the same on both sides; recording more takes time, which is measured with them.

    Raises:
        PromptError: empty, or too long.
        SettingsError: fewer than one repeat.
    """
    if repeats < 1:
        raise SettingsError(f"repeats was {repeats!r}: give a whole number of at least 1.")
    settings = settings or Settings()

    warm(pair, settings)
    timed = in_turn(pair, prompt, settings, repeats, template=template, recorder=recorder)
    speculatives, plains = ([runs[side] for runs in timed] for side in (0, 1))
    difference = None
    if settings.certain:
        detailed = Run(pair, prompt, settings, plain=True, template=template, recorder=FULL).finish()
        difference = divergence(detailed, speculatives[0])
    return Race(
        plain=_typical(plains),
        speculative=_typical(speculatives),
        speedups=tuple(speedup(p, s) for p, s in zip(plains, speculatives, strict=True)),
        same_text=difference is None if settings.certain else None,
        first_divergence=difference,
        recorded=median_pair(timed),
    )


def in_turn(
    pair: Pair,
    prompt: str,
    settings: Settings,
    repeats: int,
    *,
    template: bool = True,
    recorder: Recorder = LIGHT,
) -> list[Timed]:
    """Run both sides `repeats` times, each alone, starting with the other side each time. The caller is responsible for the warm-up."""

    def one(*, plain: bool) -> Trace:
        return Run(pair, prompt, settings, plain=plain, template=template, recorder=recorder).finish()

    timed: list[Timed] = []
    for turn in range(repeats):
        first_plain = turn % 2 == 0
        runs = {plain: one(plain=plain) for plain in (first_plain, not first_plain)}
        timed.append((runs[False], runs[True]))
    return timed


def median_pair(timed: Sequence[Timed]) -> Timed:
    """The pair of runs with the median speedup; of two in the middle, the lower one. Without plain runs, the run with the median
    time; of two in the middle, the slower one."""

    def slowness(runs: Timed) -> float:
        return -speedup(runs[1], runs[0]) if len(runs) > 1 else runs[0].rounds[-1].ended_s

    return sorted(timed, key=slowness)[len(timed) // 2]


def warm(pair: Pair, settings: Settings | None = None) -> None:
    """Run both sides once, untimed, so that neither includes first-use costs; with default settings if none are given."""
    short = replace(settings or Settings(), max_new_tokens=_WARM_TOKENS)
    for plain in (True, False):
        Run(pair, "One, two, three,", short, plain=plain).finish()


def plain_rate(pair: Pair, tokens: int = 32) -> float:
    """Tokens per second of the target alone on a short standard prompt, after a warm-up."""
    warm(pair)
    rates = []
    for _ in range(3):
        trace = Run(pair, "One, two, three,", Settings(max_new_tokens=tokens), plain=True).finish()
        rates.append(summarise(trace).tokens_per_second)
    return median(rates)


def _typical(traces: list[Trace]) -> Summary:
    ordered = sorted((summarise(t) for t in traces), key=lambda s: s.seconds)
    return ordered[len(ordered) // 2]
