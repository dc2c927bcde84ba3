"""The game "guess which run is broken": its two runs, and the clues that give a bug away. Standard library only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from specviz.trace.records import Round, Verdict

TOKENS = 8  # the most new tokens of each run
END = 3  # the id of the tiny models' end-of-text token


def token_text(token: int) -> str:
    """The name of a token of the tiny models, which have no text: a letter, or "end"."""
    return "end" if token == END else chr(ord("A") + token)


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """The rounds of two runs with the same prompt, settings and seed: one with the bug, one without."""

    broken: tuple[Round, ...]
    honest: tuple[Round, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Clue:
    """A sentence on where a bug shows in a run, with gaps for numbers, which a translation keeps, and these numbers."""

    sentence: str
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence.format(**self.numbers)


# From the rounds of a run to the clue; None where the bug does not show in it.
FindClue = Callable[[Sequence[Round]], Clue | None]


def _accepted_impossible(rounds: Sequence[Round]) -> Clue | None:
    for number, round_ in enumerate(rounds, start=1):
        if any(drafted.verdict is Verdict.ACCEPTED and drafted.target_prob == 0 for drafted in round_.drafted):
            return Clue("In round {round} a token with p = 0 was accepted, at u = 0.", {"round": number})
    return None


def _came_back(rounds: Sequence[Round]) -> Clue | None:
    for number, round_ in enumerate(rounds, start=1):
        rejected = next((drafted.token for drafted in round_.drafted if drafted.verdict is Verdict.REJECTED), None)
        if rejected is not None and round_.closing is not None and round_.closing.token == rejected:
            return Clue("In round {round} the token that was rejected came back in its own place.", {"round": number})
    return None


def _goes_on(rounds: Sequence[Round]) -> Clue | None:
    text = [token for round_ in rounds for token in round_.tokens]
    return Clue("The end-of-text token stands in the middle of the text.") if END in text[:-1] else None


# The exhibits that a single run can give away, by name.
CLUES: dict[str, FindClue] = {
    "redrawn-from-p": _came_back,
    "inclusive-coin": _accepted_impossible,
    "end-inside-missed": _goes_on,
}
