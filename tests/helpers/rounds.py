"""Running the shipped loop and reading what it yields."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from specviz.decoding.loop import speculate
from specviz.decoding.pace import Pace
from specviz.decoding.protocols import Draft, Drafter, LanguageModel, Reading
from specviz.decoding.recorder import LIGHT
from specviz.decoding.sampling import Draws
from specviz.decoding.testing import distribution
from specviz.settings import Settings
from specviz.trace.records import Round


def rounds_of(
    target: LanguageModel,
    drafter: Drafter,
    prompt: Sequence[int],
    settings: Settings,
    draws: Draws | None = None,
    **options: Any,
) -> tuple[Round, ...]:
    """All rounds of a run, without alternatives."""
    return tuple(speculate(target, drafter, prompt, settings, draws, recorder=LIGHT, **options))


def text_of(rounds: Iterable[Round]) -> tuple[int, ...]:
    """The ids that these rounds added to the text."""
    return tuple(token for round_ in rounds for token in round_.tokens)


def timeless(rounds: Iterable[Round]) -> tuple[Round, ...]:
    """The same rounds with every time set to 0."""
    return tuple(replace(r, began_s=0.0, draft_s=0.0, verify_s=0.0, ended_s=0.0) for r in rounds)


def speculated(
    target: LanguageModel,
    drafter: Callable[[], Drafter],
    prompt: Sequence[int],
    settings: Settings,
    pace: Callable[[], Pace | None] = lambda: None,
    **options: Any,
) -> dict[tuple[int, ...], float]:
    """The exact distribution over texts of the shipped loop."""
    return distribution(
        lambda draws: text_of(rounds_of(target, drafter(), prompt, settings, draws, pace=pace(), **options))
    )


class Spy(Drafter):
    """Drafts with another drafter, and notes what it was asked and what it proposed."""

    name = "spy"

    def __init__(self, inner: Any) -> None:
        self.inner, self.taps = inner, inner.taps
        self.begun: list[tuple[list[int], int]] = []
        self.asked: list[tuple[list[int], int]] = []
        self.proposed: list[Draft] = []

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.begun.append((list(prompt), capacity))
        self.inner.begin(prompt, capacity)

    def saw(self, reading: Reading) -> None:
        self.inner.saw(reading)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        self.asked.append((list(committed), limit))
        self.proposed.append(self.inner.propose(committed, settings, draws, limit))
        return self.proposed[-1]
