"""The rounds that the same text would have had with another draft length. Standard library only.

Where every distribution is one-hot, whether a draft agrees with the plain text at a position does not depend on the rounds:
as long as a draft is right, it has read nothing but the text. So one plain run and the draft's proposal at each of its
positions determine the rounds for every k, without running anything again. `specviz.runs.prepare.matches_of` computes the
proposals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.decoding.drafters import registry
from specviz.settings import Settings
from specviz.trace.records import Closing


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A computed round.

    Attributes:
        start: how many new tokens the text has when it begins.
        drafted, accepted: numbers of tokens.
        closing: how the target's own token ends it; None if an accepted end-of-text token ends it.
    """

    start: int
    drafted: int
    accepted: int
    closing: Closing | None

    @property
    def tokens(self) -> int:
        """The number of tokens that it adds to the text."""
        return self.accepted + (self.closing is not None)


def can_replan(settings: Settings) -> bool:
    """Whether a plain text and its proposals determine every round of such a run: see above."""
    described = registry.descriptions().get(settings.drafter)
    chain = described is not None and described.replannable and settings.policy == "fixed"
    return chain and settings.certain and not settings.lossy


def replan(matches: Sequence[bool], k: int, max_new_tokens: int) -> tuple[PlannedRound, ...]:
    """The rounds of a chain drafter that always proposes as many tokens as allowed.

    Args:
        matches: for every token of the plain text, whether the draft would have proposed it after the tokens before it.
        k: draft length.
        max_new_tokens: the run's limit; a shorter plain text ended with an end-of-text token.

    Raises:
        ValueError: k or the limit is less than 1, or the text is longer than the limit.
    """
    end = len(matches)
    if k < 1 or max_new_tokens < 1 or end > max_new_tokens:
        raise ValueError(f"{end} tokens, k {k!r} and a limit of {max_new_tokens!r} tokens do not fit together")
    rounds = []
    start = 0
    while start < end:
        drafted = min(k, max_new_tokens - start - 1)
        accepted = 0
        while accepted < drafted and start + accepted < end and matches[start + accepted]:
            accepted += 1
        closing = None if start + accepted == end else Closing.BONUS if accepted == drafted else Closing.CORRECTED
        planned = PlannedRound(start, drafted, accepted, closing)
        rounds.append(planned)
        start += planned.tokens
    return tuple(rounds)
