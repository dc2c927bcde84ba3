"""The drafter that proposes nothing: with it the loop is plain decoding."""

from collections.abc import Sequence

import torch

from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


class NoDrafter(Drafter):
    """Proposes nothing. `vocabulary` and `device` are the target's, for tensors of the right shape."""

    name = "none"

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._empty = nothing(vocabulary, device, dtype)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Nothing to prepare."""

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        return self._empty


def nothing(vocabulary: int, device: str | torch.device, dtype: torch.dtype = torch.float32) -> Draft:
    """A draft without tokens."""
    return Draft(
        tokens=torch.zeros(0, dtype=torch.long, device=device),
        parents=(),
        probabilities=torch.zeros(0, vocabulary, dtype=dtype, device=device),
    )
