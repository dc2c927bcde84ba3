"""A fair race: plain and speculative decoding, each alone and warmed up, in alternating order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median, median_low

from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.errors import SettingsError
from specviz.models.machine_notes import CoreTime
from specviz.models.pair import Pair
from specviz.runs.costs import watched
from specviz.runs.prepare import Prepared, prepare
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.conditions import Conditions, RacedTraces, Turn, counted
from specviz.trace.metrics import (
    Divergence,
    Summary,
    divergence,
    most_possible,
    speedup,
    speedup_with_prompt,
    summarise,
)
from specviz.trace.records import Trace
from specviz.wire import Lane

TimedRuns = tuple[Trace, ...]  # a speculative run and its plain run, if there is one

_WARM_TOKENS, _RATE_TOKENS = 16, 32
_STANDARD_PROMPT = "One, two, three,"


@dataclass(frozen=True, slots=True)
class Race:
    """The outcome of a race.

    Attributes:
        plain, speculative: figures of the two runs of the pair that is kept.
        speedups: plain seconds / speculative seconds of each pair of runs that counts, in the order they ran.
        with_prompt: the same with the time to read the prompt on both sides, a draft's own reading included.
        same_text: whether both texts are equal; None above temperature 0 without shared noise, where the random numbers differ.
        first_divergence: where the texts first differ, or None.
        recorded: the speculative run and the plain one of the pair with the median speedup.
        conditions: whether other programs disturbed the runs, and whether the figures can be trusted; None where not watched.
    """

    plain: Summary
    speculative: Summary
    speedups: tuple[float, ...]
    same_text: bool | None
    first_divergence: Divergence | None
    recorded: tuple[Trace, ...] = ()
    with_prompt: tuple[float, ...] = ()
    conditions: Conditions | None = None

    @property
    def speedup(self) -> float:
        """The median speedup, of an even number the lower of the two in the middle."""
        return median_low(self.speedups)

    @property
    def speedup_with_prompt(self) -> float | None:
        """The speedup with the prompt; None where it was not measured."""
        return median_low(self.with_prompt) if self.with_prompt else None

    def trace(self) -> RacedTraces:
        """The recorded runs of the pair that is kept; in a notebook they are shown on one clock."""
        return RacedTraces(self.recorded, self.speedups, len(self.speedups), self.conditions)

    @property
    def trusted(self) -> bool:
        """False where other programs had the cores, or the pairs differ too much: then the speedup is no figure."""
        return self.conditions is None or self.conditions.trusted


def race(
    pair: Prepared | Pair,
    prompt: str,
    settings: Settings | None = None,
    repeats: int = 3,
    *,
    template: bool = True,
    recorder: Recorder = LIGHT,
    announce: Callable[[str], None] = lambda step: None,
    earlier: Sequence[Sequence[int]] = (),
) -> Race:
    """Run both sides `repeats` times in turn, after a short warm-up of each.

    Where other programs take the cores, fewer threads are used on both sides, and a few disturbed pairs are repeated. Raises
    PromptError if the prompt is empty or too long; SettingsError if there is no repeat.

    Args:
        pair: what `prepare` gives; or a pair, which is prepared with `settings`.
        announce: called with the next step, never during a measurement.
        recorder: what is recorded of the rounds, the same on both sides; recording more takes time, which is measured with them.
        earlier: as in `Run`.
    """
    if repeats < 1:
        raise SettingsError(f"repeats was {repeats!r}: give a whole number of at least 1.")
    if isinstance(pair, Pair):
        with watched(pair):  # costs are measured on as many threads as find a core, too
            pair = prepare(pair, settings)
    sides = {Lane.SPECULATIVE: pair, Lane.PLAIN: pair.plain()}

    def new_run(lane: Lane, recorder: Recorder = recorder) -> Run:
        return Run(sides[lane], prompt, template=template, recorder=recorder, earlier=earlier)

    timed: list[TimedRuns] = []
    with watched(pair.pair) as watchman:
        warm(pair)
        while watchman.may_repeat(repeats):
            if timed and not watchman.turns[-1].calm:
                announce("this machine is busy: waiting for free cores, then timing again")
                watchman.wait_for_cores()
            first = Lane.SPECULATIVE if len(timed) % 2 else Lane.PLAIN  # each turn starts with the other side
            runs, times = time_turn(new_run, (*Lane,), first=first)
            timed.append(runs)
            watchman.add_turn(turn_figure(runs), times, largest_speedup(runs))
        conditions = watchman.conditions(repeats)
        _, indices = counted(watchman.turns, repeats)
        pairs = [timed[index] for index in indices]
        recorded = median_pair(pairs)
    speculative, plain_run = recorded
    certain = pair.settings.certain
    difference = divergence(new_run(Lane.PLAIN, FULL).finish(), speculative) if certain else None
    return Race(
        plain=summarise(plain_run),
        speculative=summarise(speculative),
        speedups=tuple(speedup(plain, own) for own, plain in pairs),
        same_text=difference is None if certain else None,
        first_divergence=difference,
        recorded=recorded,
        with_prompt=tuple(speedup_with_prompt(plain, own) for own, plain in pairs),
        conditions=conditions,
    )


def median_pair(timed: Sequence[TimedRuns]) -> TimedRuns:
    """The pair of runs with the median speedup; of two in the middle, the lower one. Without plain runs, the run with the median
    time; of two in the middle, the slower one."""
    return sorted(timed, key=lambda runs: turn_figure(runs) * (1 if len(runs) == 1 else -1))[len(timed) // 2]


def warm(prepared: Prepared) -> None:
    """Run both sides once, untimed, so that neither includes first-use costs."""
    short = replace(prepared, settings=replace(prepared.settings, max_new_tokens=_WARM_TOKENS))
    for side in (short.plain(), short):
        Run(side, _STANDARD_PROMPT).finish()


def plain_rate(pair: Pair) -> float:
    """Tokens per second of the target alone on a short standard prompt, after a warm-up: the median of three runs; where other
    programs disturbed one of them, the fastest of six, because a run that waits for a core is only ever slower."""
    warm(prepare(pair))
    plain = prepare(pair, Settings(max_new_tokens=_RATE_TOKENS), plain=True)
    rates: list[float] = []
    on_cpu = pair.target.device.type == "cpu"
    calm = True
    while len(rates) < (3 if calm else 6):
        run = Run(plain, _STANDARD_PROMPT)
        with CoreTime() as time:
            trace = run.finish()
        rate = summarise(trace).tokens_per_second
        rates.append(rate)
        calm = calm and Turn(rate, time.waited if on_cpu else None).calm
    return median(rates) if calm else max(rates)


def time_turn(new: Callable[[Lane], Run], lanes: Sequence[Lane], *, first: Lane) -> tuple[TimedRuns, list[CoreTime]]:
    """Time every lane, each alone, starting with the lane `first`."""
    runs: dict[Lane, Trace] = {}
    times = []
    for lane in sorted(lanes, key=lambda lane: lane is not first):
        run = new(lane)
        with CoreTime() as time:
            runs[lane] = run.finish()
        times.append(time)
    return tuple(runs[lane] for lane in lanes), times


def same_rounds(runs: TimedRuns, others: TimedRuns) -> bool:
    """True if both drafted and wrote the same tokens, round by round: the rounding of a device can change them."""
    return list(map(_steps, runs)) == list(map(_steps, others))


def turn_figure(runs: TimedRuns) -> float:
    """The figure that the turns of a job are compared by: the speedup, or the seconds of a run alone."""
    return speedup(runs[1], runs[0]) if len(runs) > 1 else runs[0].rounds[-1].ended_s


def largest_speedup(runs: TimedRuns) -> float | None:
    """The largest speedup that the tokens per pass allow; None of a run alone."""
    return most_possible(runs[1], runs[0]) if len(runs) > 1 else None


def _steps(trace: Trace) -> list[tuple[tuple[int, ...], ...]]:
    """The drafted and the written tokens, round by round."""
    return [(tuple(d.token for d in round_.drafted), round_.tokens) for round_ in trace.rounds]
