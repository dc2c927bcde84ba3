"""Two runs of which one has a bug, for a visitor who guesses which: what is asked, what comes back, and where the bug can be seen. Standard
library only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from specviz.trace.records import Round, Verdict

TOKENS = 8
"""The length that both runs are asked for."""
END = 3
"""The id of the tiny models' end-of-text token."""


@dataclass(frozen=True, slots=True)
class GuessAsked:
    """The exhibit, and the first seed that is tried."""

    exhibit: str
    seed: int


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """The rounds of two runs with the same prompt, settings and seed: one with the bug, one without."""

    broken: tuple[Round, ...]
    honest: tuple[Round, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a bug can be seen: a sentence with gaps, which a language may say in its own words, and the numbers in them."""

    sentence: str
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence.format(**self.numbers)


Clue = Callable[[Sequence[Round]], Seen | None]
"""From the rounds of a run to where the bug can be seen; None where it cannot."""


def _all_zero(rounds: Sequence[Round]) -> Seen | None:
    numbers = [drafted.draw for one in rounds for drafted in one.drafted if drafted.draw is not None]
    zero = len(numbers) > 2 and not any(numbers)
    return Seen("Every number u that a drafted token was compared with is 0.") if zero else None


def _accepted_impossible(rounds: Sequence[Round]) -> Seen | None:
    for number, one in enumerate(rounds, start=1):
        if any(drafted.verdict is Verdict.ACCEPTED and drafted.target_prob == 0 for drafted in one.drafted):
            return Seen("In round {round} a token with p = 0 was accepted, at u = 0.", {"round": number})
    return None


def _first_passes(rounds: Sequence[Round]) -> Seen | None:
    for number, one in enumerate(rounds, start=1):
        first = one.drafted[0] if one.drafted else None
        if first is None or first.draw is None or first.verdict is not Verdict.ACCEPTED:
            continue
        q, p = first.qp
        if first.draw >= p / q:
            return Seen(
                "In round {round} the first token was accepted, although u is not below p/q.", {"round": number}
            )
    return None


def _one_hot(rounds: Sequence[Round]) -> Seen | None:
    seen = [drafted.target_prob for one in rounds for drafted in one.drafted]
    sharp = len(seen) > 2 and set(seen) <= {0.0, 1.0}
    return Seen("Every p is 0 or 1, and the temperature is 1.") if sharp else None


def _same_number(rounds: Sequence[Round]) -> Seen | None:
    for number, one in enumerate(rounds, start=1):
        rejected = next((drafted.draw for drafted in one.drafted if drafted.verdict is Verdict.REJECTED), None)
        if rejected is not None and one.closing is not None and one.closing.draw == rejected:
            return Seen(
                "In round {round} the rejected token and the token in its place have the same u.", {"round": number}
            )
    return None


def _goes_on(rounds: Sequence[Round]) -> Seen | None:
    text = [token for one in rounds for token in one.tokens]
    return Seen("The end-of-text token stands in the middle of the text.") if END in text[:-1] else None


def _too_long(rounds: Sequence[Round]) -> Seen | None:
    written = sum(len(one.tokens) for one in rounds)
    numbers = {"written": written, "asked": TOKENS}
    return Seen("The text has {written} tokens, and {asked} were asked for.", numbers) if written > TOKENS else None


CLUES: dict[str, Clue] = {
    "always-accepted": _all_zero,
    "inclusive-coin": _accepted_impossible,
    "first-unchecked": _first_passes,
    "always-greedy": _one_hot,
    "coin-used-twice": _same_number,
    "end-inside-missed": _goes_on,
    "longer-than-asked": _too_long,
}
"""The exhibits that a single run can give away, by name."""
