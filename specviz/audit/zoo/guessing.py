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


def _accepted_impossible(rounds: Sequence[Round]) -> Seen | None:
    for number, one in enumerate(rounds, start=1):
        if any(drafted.verdict is Verdict.ACCEPTED and drafted.target_prob == 0 for drafted in one.drafted):
            return Seen("In round {round} a token with p = 0 was accepted, at u = 0.", {"round": number})
    return None


def _came_back(rounds: Sequence[Round]) -> Seen | None:
    for number, one in enumerate(rounds, start=1):
        rejected = next((drafted.token for drafted in one.drafted if drafted.verdict is Verdict.REJECTED), None)
        if rejected is not None and one.closing is not None and one.closing.token == rejected:
            return Seen("In round {round} the token that was rejected came back in its own place.", {"round": number})
    return None


def _goes_on(rounds: Sequence[Round]) -> Seen | None:
    text = [token for one in rounds for token in one.tokens]
    return Seen("The end-of-text token stands in the middle of the text.") if END in text[:-1] else None


CLUES: dict[str, Clue] = {
    "redrawn-from-p": _came_back,
    "inclusive-coin": _accepted_impossible,
    "end-inside-missed": _goes_on,
}
"""The exhibits that a single run can give away, by name."""
