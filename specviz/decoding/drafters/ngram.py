"""Prompt lookup: drafts are copied from the text itself. It needs no network and no pass, and every q is 1.

Saxena, "Prompt Lookup Decoding", 2023: the last few tokens are looked up in prompt and text, and the tokens that followed their
latest earlier occurrence are proposed again.
"""

from collections.abc import Sequence

import torch

from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.settings import Settings
from specviz.trace.records import Match


def make(parts: Parts) -> "NgramDrafter":
    """A lookup whose tensors match the target's vocabulary and device."""
    return NgramDrafter(parts.target.vocabulary, parts.target.device)


class NgramDrafter(Drafter):
    """Looks up the last `longest` tokens, or fewer, down to one, and copies what followed their latest earlier occurrence.

    The tokens are copied, not drawn, so q is 1. The index grows with the text: every token is indexed once.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
        longest: the largest number of tokens that are looked up.
    """

    name = "ngram"

    def __init__(
        self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32, longest: int = 3
    ) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._longest = longest
        self._followed: dict[tuple[int, ...], int] = {}
        self._indexed = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._followed.clear()
        self._indexed = 0
        self._index(prompt)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A copy of at most `limit` tokens, or nothing if the last token has not occurred before."""
        self._index(committed)
        occurrence = self._look_up(committed)
        if occurrence is None or limit == 0:
            return nothing(self._vocabulary, self._device, self._dtype)
        source, match = occurrence
        copied = committed[source : source + limit]
        return certain(copied, self._vocabulary, self._device, self._dtype, source, match=match)

    def _index(self, committed: Sequence[int]) -> None:
        """For every n-gram followed by a token, store the index of that token; later occurrences replace earlier ones."""
        for end in range(max(1, self._indexed), len(committed)):
            for length in range(1, min(self._longest, end) + 1):
                self._followed[tuple(committed[end - length : end])] = end
        self._indexed = len(committed)

    def _look_up(self, committed: Sequence[int]) -> tuple[int, Match] | None:
        """The index after the latest earlier occurrence of the longest suffix of the text that has occurred before, and that suffix."""
        for length in range(min(self._longest, len(committed)), 0, -1):
            index = self._followed.get(tuple(committed[-length:]))
            if index is not None:
                return index, Match(length)
        return None
