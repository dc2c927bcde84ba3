"""The game "guess which run is broken": its two runs, and the clues that give a bug away, which a page says in its language. Standard library only."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from specviz.trace.records import Round, Verdict
from specviz.words import Sentence

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


# From the rounds of a run to the clue; None where the bug does not show in it.
FindClue = Callable[[Sequence[Round]], Sentence | None]


def _accepted_impossible(rounds: Sequence[Round]) -> Sentence | None:
    for number, round_ in enumerate(rounds, start=1):
        if any(drafted.verdict is Verdict.ACCEPTED and drafted.target_prob == 0 for drafted in round_.drafted):
            return Sentence("In round {round} a token with p = 0 was accepted, at u = 0.", round=number)
    return None


def _came_back(rounds: Sequence[Round]) -> Sentence | None:
    for number, round_ in enumerate(rounds, start=1):
        rejected = next((drafted.token for drafted in round_.drafted if drafted.verdict is Verdict.REJECTED), None)
        if rejected is not None and round_.closing is not None and round_.closing.token == rejected:
            return Sentence("In round {round} the token that was rejected came back in its own place.", round=number)
    return None


def _goes_on(rounds: Sequence[Round]) -> Sentence | None:
    text = [token for round_ in rounds for token in round_.tokens]
    return Sentence("The end-of-text token stands in the middle of the text.") if END in text[:-1] else None


# The exhibits that a single run can give away, by name.
CLUES: dict[str, FindClue] = {
    "redrawn-from-p": _came_back,
    "inclusive-coin": _accepted_impossible,
    "end-inside-missed": _goes_on,
}
