"""Plain against speculative, each alone and warm, alternating: what a fair race is."""

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
"""A speculative run and the plain run that belongs to it, if there is one."""

_WARM_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Race:
    """The outcome.

    Attributes:
        plain, speculative: figures of the median run of each side, by seconds.
        speedups: plain seconds / speculative seconds of each pair of runs, in the order they ran.
        same_text: whether both wrote the same; None at a temperature above 0 without shared noise, where chance differs.
        first_divergence: where the texts part, else None.
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
        recorder: what is kept of the rounds, on both sides alike; keeping more takes time, which is measured with them.

    Raises:
        PromptError: empty, or too long.
        SettingsError: fewer than one repeat.
    """
    if repeats < 1:
        raise SettingsError(f"repeats was {repeats!r}: give a whole number from 1 on.")
    settings = settings or Settings()

    warm(pair, settings)
    timed = in_turn(pair, prompt, settings, repeats, template=template, recorder=recorder)
    speculatives, plains = ([runs[side] for runs in timed] for side in (0, 1))
    parted = None
    if settings.certain:
        detailed = Run(pair, prompt, settings, plain=True, template=template, recorder=FULL).finish()
        parted = divergence(detailed, speculatives[0])
    return Race(
        plain=_typical(plains),
        speculative=_typical(speculatives),
        speedups=tuple(speedup(p, s) for p, s in zip(plains, speculatives, strict=True)),
        same_text=parted is None if settings.certain else None,
        first_divergence=parted,
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
    """Run both sides `repeats` times, each alone, the other one going first each time. What is warm is the caller's business."""

    def one(*, plain: bool) -> Trace:
        return Run(pair, prompt, settings, plain=plain, template=template, recorder=recorder).finish()

    timed: list[Timed] = []
    for turn in range(repeats):
        first_plain = turn % 2 == 0
        runs = {plain: one(plain=plain) for plain in (first_plain, not first_plain)}
        timed.append((runs[False], runs[True]))
    return timed


def median_pair(timed: Sequence[Timed]) -> Timed:
    """The pair of runs with the median speedup, the lower one of the two in the middle; without a plain run, the one of the
    median time, the slower one of the two."""

    def slowness(runs: Timed) -> float:
        return -speedup(runs[1], runs[0]) if len(runs) > 1 else runs[0].rounds[-1].ended_s

    return sorted(timed, key=slowness)[len(timed) // 2]


def warm(pair: Pair, settings: Settings | None = None) -> None:
    """Run both sides once, untimed, so that neither pays for first-use costs; with the usual settings where none are given."""
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
