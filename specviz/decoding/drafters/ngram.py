"""Prompt lookup: the text itself is the draft model. No network, no pass, no probability but 1.

Saxena, "Prompt Lookup Decoding", 2023: what the last few tokens were followed by, the last time that they stood in prompt
or text, may well follow again.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


class NgramDrafter:
    """Looks up the last `longest` tokens, else fewer, down to one, and copies what followed their latest earlier occurrence.

    The tokens are taken, not drawn, so q is 1. The index grows with the text: every token is entered once.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
        longest: the most tokens that are looked up.
    """

    name = "n-gram lookup"

    def __init__(
        self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32, longest: int = 3
    ) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._longest = longest
        self._followed: dict[tuple[int, ...], int] = {}
        self._entered = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._followed.clear()
        self._entered = 0
        self._enter(prompt)

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        """A copy of at most `limit` tokens, or nothing where the last token is new to the text."""
        self._enter(committed)
        source = self._look_up(committed)
        if source is None or limit == 0:
            return nothing(self._vocabulary, self._device, self._dtype)
        tokens = torch.tensor(committed[source : source + limit], device=self._device)
        certain = torch.zeros(len(tokens), self._vocabulary, dtype=self._dtype, device=self._device)
        certain.scatter_(-1, tokens.unsqueeze(-1), 1.0)
        return Draft(tokens, tuple(range(-1, len(tokens) - 1)), certain, source=source)

    def _enter(self, committed: Sequence[int]) -> None:
        """Note for every run of tokens that something follows where that is; later places replace earlier ones."""
        for end in range(max(1, self._entered), len(committed)):
            for length in range(1, min(self._longest, end) + 1):
                self._followed[tuple(committed[end - length : end])] = end
        self._entered = len(committed)

    def _look_up(self, committed: Sequence[int]) -> int | None:
        """The place behind the latest earlier occurrence of the longest known ending of the text."""
        for length in range(min(self._longest, len(committed)), 0, -1):
            place = self._followed.get(tuple(committed[-length:]))
            if place is not None:
                return place
        return None
