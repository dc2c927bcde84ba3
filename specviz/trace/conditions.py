"""Decides from measurements whether timed runs had the processor to themselves, and says so in words. Standard library only.

On a busy machine a run waits for a core, and two threads of one run wait for each other. One side of a pair of runs can wait
more than the other, so that their ratio is wrong by any factor. How long a run waited is known: the decoding thread never sleeps
on the CPU, so the time in which it did not compute is time in which it, or a thread that it needs, had no core.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from specviz.trace import records
from specviz.trace.metrics import is_possible
from specviz.words import Decimal, Sentence, for_page, in_row

# A turn does not count if one of its runs waited for more than this share of its time.
WAITED_LIMIT = 0.1
# Turns whose highest figure exceeds their lowest by more than this factor agree on nothing.
SPREAD_LIMIT = 1.6
# This many disturbed turns have a figure if the middle half of them lies within this factor of their median.
MANY, NEAR = 5, 1.15


@dataclass(frozen=True, slots=True)
class Turn:
    """Both runs of a pair, timed one after the other; or one run alone.

    Attributes:
        figure: plain seconds / speculative seconds; of a run alone its seconds.
        waited: the share of wall time, 0 to 1, in which the decoding thread had no core, of the run that waited more; None on
            a GPU, where the processor's time shows little.
        most: the largest speedup that the tokens per pass allow (see `metrics.most_possible`); None of a run alone.
        alone: whether both runs had a single thread, which waits for no other thread of its own.
        steady: whether all of it had the same number of threads: after a slow round there is one.
    """

    figure: float
    waited: float | None
    most: float | None = None
    alone: bool = False
    steady: bool = True

    @property
    def possible(self) -> bool:
        """False for a speedup above `most`, which shows that something slowed the plain run down."""
        return self.most is None or is_possible(self.figure, self.most)

    @property
    def calm(self) -> bool:
        """True if nothing is known to have disturbed the turn."""
        return self.possible and self.steady and (self.waited is None or self.waited <= WAITED_LIMIT)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions under which a run was timed.

    Attributes:
        trusted: whether enough turns were calm, and these agree.
        turns: how many turns were timed.
        left_out: how many of them do not count, because they were disturbed; 0 where the figure is not trusted.
        compared: whether the figures are speedups of pairs of runs, not seconds of a run alone.
        low, high: the lowest and the highest figure of the turns that count.
        waited: the share of wall time in which the run had no core, over all turns; None on a GPU.
        others: cores used by other programs meanwhile; None where the system does not report it.
        cores: logical cores that this process may use.
        threads, usual_threads: threads of the timed runs, and where no other program needs a core.
        most: where a turn was faster than its tokens per pass allow, the speedup that they allow; else None.
        disturbed: whether a figure is trusted although turns that count were disturbed, because many agree.
        neighbours: whether another engine of the same server computed on the same machine meanwhile. Such a figure is never trusted: the
            cores may be different ones, but both engines read their weights through the same memory and caches.
    """

    trusted: bool
    turns: int
    left_out: int
    compared: bool
    low: float
    high: float
    waited: float | None
    others: float | None
    cores: int
    threads: int
    usual_threads: int
    most: float | None = None
    neighbours: bool = False
    disturbed: bool = False

    @property
    def busy(self) -> bool:
        """True if other work is the likely reason why a figure is not trusted."""
        if self.waited is None:
            return not self.trusted and self.most is None
        return not self.trusted and self.waited > WAITED_LIMIT / 2


def counted(turns: Sequence[Turn], wanted: int) -> tuple[bool, list[int]]:
    """Trust in the turns, and the indices of those that count: the calm ones; all of them without trust.

    More than half of the `wanted` turns, or of those that were made where these are fewer, must be calm, and the calm ones must
    agree within `SPREAD_LIMIT`. From five on, the lowest and the highest are not compared: a single outlier does not move the median.
    Where fewer were calm, `MANY` turns of a single thread whose middle half agrees within `NEAR` count all the same: a steady load slows both
    sides of a pair down alike, as they are decoded in turn; the seconds of a run alone it changes.
    """
    calm = [index for index, turn in enumerate(turns) if turn.calm]
    trusted = len(calm) > min(wanted, len(turns)) // 2 and _steady([turns[index].figure for index in calm])
    if trusted:
        return True, calm
    possible = [index for index, turn in enumerate(turns) if turn.possible and turn.alone and turn.most is not None]
    if len(possible) >= MANY and _near([turns[index].figure for index in possible]):
        return True, possible
    return False, list(range(len(turns)))


def _steady(figures: Sequence[float]) -> bool:
    ordered = sorted(figures)
    aside = (len(ordered) - 1) // 4
    return ordered[-1 - aside] <= SPREAD_LIMIT * ordered[aside]


def _near(figures: Sequence[float]) -> bool:
    ordered, middle = sorted(figures), median(figures)
    aside = len(ordered) // 4
    return ordered[-1 - aside] <= NEAR * middle and middle <= NEAR * ordered[aside]


def between(conditions: Conditions) -> str:
    """The range of a speedup that is not trusted: "between 0.4× and 8.7×"; "" of a run alone."""
    if not conditions.compared:
        return ""
    for digits in (1, 2):
        low, high = (Decimal(figure, digits) for figure in (conditions.low, conditions.high))
        if str(low) != str(high):
            return Sentence("between {low}× and {high}×", low=low, high=high)
    return Sentence("about {speedup}×", speedup=low)


def beside_others(conditions: Conditions) -> Conditions:
    """The conditions of a run during which another engine of the server computed on the same machine."""
    return replace(conditions, trusted=False, neighbours=True)


def conditions_json(conditions: Conditions | None) -> dict[str, object] | None:
    """The conditions in words, for the player; None where they are not known."""
    if conditions is None:
        return None
    return {
        "trusted": conditions.trusted,
        "why": for_page(reason(conditions)),
        "between": "" if conditions.trusted else for_page(between(conditions)),
        "grounds": for_page(grounds(conditions)),
    }


def verdict(conditions: Conditions) -> str:
    """A few words instead of a headline; "" where the figure is trusted."""
    return "" if conditions.trusted else in_row((reason(conditions), between(conditions)), ": ")


def reason(conditions: Conditions) -> str:
    """Why a figure is not trusted, or how it was measured on a busy machine, in a few words; "" where nothing has to be said."""
    if conditions.trusted:
        return Sentence("measured on a busy machine") if conditions.disturbed else ""
    if conditions.neighbours:
        return Sentence("another engine ran at the same time")
    if conditions.most is not None and not conditions.busy:
        return beyond(conditions.most)
    return Sentence("this machine is busy") if conditions.busy else Sentence("the timings do not agree")


def grounds(conditions: Conditions) -> str:
    """Full sentences on what was measured of the machine; "" where nothing disturbed the runs and all threads were used."""
    sentences: list[str] = []
    if conditions.neighbours:
        sentences.append(
            Sentence(
                "Another engine of this server computed on the same machine meanwhile. Both share its memory and caches, so that no figure can be "
                "trusted: run again when nobody else runs."
            )
        )
    elif conditions.disturbed:
        sentences.append(
            Sentence(
                "Measured on a busy machine: this run waited for a processor core {share}% of the time, but plain and speculative decoding took "
                "turns, and the middle half of {timings} timings lies within {near}% of this figure.",
                share=round(100 * (conditions.waited or 0)),
                timings=conditions.turns - conditions.left_out,
                near=round(100 * (NEAR - 1)),
            )
        )
    elif not conditions.trusted and conditions.busy:
        sentences += [_load(conditions), Sentence("No figure can be trusted then: close other programs and run again.")]
    elif not conditions.trusted and conditions.most is not None:
        sentences.append(most_words(conditions.most))
    elif not conditions.trusted:
        sentences.append(
            Sentence("The timed pairs differ too much for one figure, though this run did not wait: run again.")
        )
    if conditions.left_out:
        sentences.append(
            Sentence(
                "{left_out} of {turns} timings were left out, because something disturbed them.",
                left_out=conditions.left_out,
                turns=conditions.turns,
            )
        )
    if conditions.threads < conditions.usual_threads:
        sentences.append(
            Sentence(
                "Timed with {threads} of {usual} threads, on both sides, because other programs use the other cores.",
                threads=conditions.threads,
                usual=conditions.usual_threads,
            )
        )
    return in_row(sentences)


def _load(conditions: Conditions) -> str:
    waited: dict[str, int | Decimal] = {} if conditions.waited is None else {"share": round(100 * conditions.waited)}
    if conditions.others is None:
        return Sentence("This run waited for a processor core {share}% of the time.", **waited) if waited else ""
    cores: dict[str, int | Decimal] = {"others": Decimal(conditions.others, 1), "cores": conditions.cores}
    if not waited:
        return Sentence("Other programs used {others} of {cores} cores.", **cores)
    return Sentence(
        "This run waited for a processor core {share}% of the time, and other programs used {others} of {cores} cores.",
        **waited,
        **cores,
    )


def beyond(most: float) -> Sentence:
    """The few words on a speedup that is larger than this."""
    return Sentence("not possible with {most} tokens per pass", most=Decimal(most, 2))


def most_words(most: float) -> Sentence:
    """The sentence on why no speedup can be larger than this."""
    return Sentence(
        "A pass of the target wrote {most} tokens on average, and a plain pass, which takes no longer, writes one: more than "
        "{most}× as fast is not possible. Something slowed plain decoding down: run again.",
        most=Decimal(most, 2),
    )


@dataclass(frozen=True, slots=True)
class RacedTraces:
    """The recorded runs of a race, the speculative one first; a notebook shows them on one clock.

    Attributes:
        speedups, timed, conditions: of all timed pairs of runs, as in `run_figures.figures_of`.
        doubt: the reason, in words, why no lane may have a speedup; "" where it may.
    """

    traces: tuple[records.Trace, ...]
    speedups: tuple[float, ...] = ()
    timed: int = 1
    conditions: Conditions | None = None
    doubt: str = ""

    def _repr_html_(self) -> str | None:
        """The lanes with these runs inside; None without a round to play."""
        page = records.notebook_page
        return page(self) if page and any(trace.rounds for trace in self.traces) else None
