"""Copies where the text repeats itself, and guesses elsewhere: suffix decoding together with another drafter.

Oliaro et al., "SuffixDecoding" (arXiv 2411.04975), section 4.3, and Snowflake's Arctic Inference. A copy takes no pass and is nearly sure after
a long match; where nothing matches, the other drafter drafts as it does alone. Which of them drafts a round follows from the committed text and
from the rounds before, and is decided before anything is drafted: so the distribution of the text is the target's with both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.protocols import Draft, Drafter, Reading
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

_FADING = 0.9  # weight of earlier rounds, with every round of the same drafter


@dataclass(slots=True)
class _Record:
    """How good the drafts of one drafter were, as fading sums over its rounds; `depth` is that of a tree, and of a chain its length."""

    rounds: float
    drafted: float
    depth: float
    expected: float
    accepted: float

    def add(self, draft: Draft, expected: float, accepted: int) -> None:
        for name, value in (
            ("rounds", 1),
            ("drafted", len(draft.parents)),
            ("depth", max(draft.depths)),
            ("expected", expected),
            ("accepted", accepted),
        ):
            setattr(self, name, _FADING * getattr(self, name) + value)

    def mean(self, name: str) -> float:
        value: float = getattr(self, name) / self.rounds
        return value


class HybridDrafter(Drafter):
    """Suffix decoding, and another drafter where a copy promises less. `costs`: what passes cost on this machine, by
    which both are compared; None uses the defaults."""

    remembers = True

    def __init__(self, name: str, copier: SuffixDrafter, other: Drafter, costs: Costs | None = None) -> None:
        self.name, self.other = name, other
        self.model, self.head, self.taps = other.model, other.head, other.taps
        self._costs = costs or Costs()
        self._copier, self._guesser = copier, other
        self._begin_records()

    def _begin_records(self) -> None:
        # A round is assumed that accepted one of two guesses, and one in which a copy was as good as expected.
        self._guesses, self._copies = _Record(1, 2, 2, 1, 1), _Record(1, 2, 2, 2, 2)
        self._last: tuple[_Record, Draft, float] | None = None

    def remember(self, earlier: Sequence[Sequence[int]]) -> None:
        self._copier.remember(earlier)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._copier.begin(prompt, capacity)
        self._guesser.begin(prompt, capacity)
        self._begin_records()

    def saw(self, reading: Reading) -> None:
        self._guesser.saw(reading)
        if self._last is not None:
            record, draft, expected = self._last
            record.add(draft, expected, len(reading.kept) - 1)
            self._last = None

    def copy_probabilities(self, committed: Sequence[int], settings: Settings, limit: int) -> tuple[float, ...]:
        """Those of the copy, lower where copies of this text were worse than expected; () where the other drafter promises more."""
        right = min(1.0, self._copies.accepted / self._copies.expected)
        reached = self._copier.copy_probabilities(committed, settings, settings.k)
        guesses, costs = self._guesses, self._costs
        cost = costs.verify(round(guesses.mean("drafted"))) + guesses.mean("depth") * costs.c
        promised = (1 + guesses.mean("accepted")) / cost
        tokens = 1.0
        for count, probability in enumerate(reached, 1):
            tokens += right * probability
            if tokens / costs.verify(count) > promised:
                return tuple(right * each for each in reached[:limit])
        return ()

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A copy of at most `limit` tokens, or what the other drafter proposes."""
        reached = self.copy_probabilities(committed, settings, max(1, limit))
        draft = self._guesser.propose(committed, settings, draws, 0 if reached else limit)
        if reached:
            draft = self._copier.propose(committed, settings, draws, limit)
        if draft.parents:
            self._last = (self._copies if reached else self._guesses, draft, sum(reached[: len(draft.parents)]))
        return draft
