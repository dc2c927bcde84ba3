"""The same text with another draft length: which rounds a run would have had. Standard library only.

Where every distribution is one-hot, a draft agrees with the plain text at a place or it does not, whatever the rounds are: the
draft that is still right has read nothing but the text. So one plain run and what a draft would have said at each of its
places give the rounds for every k, without running anything again. `specviz.runs.matches` finds out what it would have said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.trace.records import Closing


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round as it would have been.

    Attributes:
        start: how many new tokens the text has when it begins.
        drafted, accepted: how many tokens.
        closing: how the target's own token ends it; None where an accepted end-of-text token does.
    """

    start: int
    drafted: int
    accepted: int
    closing: Closing | None

    @property
    def tokens(self) -> int:
        """How many tokens it adds to the text."""
        return self.accepted + (self.closing is not None)


def replan(matches: Sequence[bool], k: int, max_new_tokens: int) -> tuple[PlannedRound, ...]:
    """The rounds of a chain drafter that always proposes as many tokens as there is room for.

    Args:
        matches: for every token of the plain text, whether the draft would have proposed it behind those before it.
        k: draft length.
        max_new_tokens: the run's limit; a plain text that is shorter ended by itself, with an end-of-text token.

    Raises:
        ValueError: k or the limit is less than 1, or the text is longer than the limit.
    """
    end = len(matches)
    if k < 1 or max_new_tokens < 1 or end > max_new_tokens:
        raise ValueError(f"{end} places, k {k!r} and a limit of {max_new_tokens!r} tokens do not belong together")
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
