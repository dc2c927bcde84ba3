"""Short passes on the CPU, compiled by `torch.compile`: fewer and larger kernels, for those who will wait for the compiler."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Place

LONGEST = 17
"""Longer passes (prompts) run as they are."""


class CompiledDecoder(LeanDecoder):
    """A `LeanDecoder` whose short chains run as compiled code. The first passes take a minute or two: they are compiled then.

    Compiled code sums in another order, so its scores differ from the others by rounding.

    Args:
        model: as of `LeanDecoder`.
        backend: which of torch's compilers.
    """

    def __init__(self, model: PreTrainedModel, backend: str | Callable[..., Any] = "inductor") -> None:
        super().__init__(model)
        self._backend = backend
        self._compiled = torch.compile(self.read_at, dynamic=True, backend=backend)

    @property
    def kind(self) -> str:
        return "own, compiled"

    def skipping(self, layers: Sequence[int]) -> "CompiledDecoder":
        fewer = super().skipping(layers)
        assert isinstance(fewer, CompiledDecoder), "a copy is of the same kind"
        fewer._compiled = torch.compile(fewer.read_at, dynamic=True, backend=self._backend)
        return fewer

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`.

        Raises:
            PairError: there is no compiler on this machine, or it fails.
        """
        if place.sees is not None or place.count > LONGEST:
            return super().read(tokens, place, rows)
        try:
            logits, states = self._compiled(tokens, torch.tensor(place.begin, device=tokens.device))
        except torch._dynamo.exc.BackendCompilerFailed as error:
            reason = " ".join(str(error).split())[:160]
            raise PairError(
                f"The passes could not be compiled ({reason}): install a C++ compiler such as g++, or leave --compile out."
            ) from error
        return logits if rows is None else logits[-rows:], states
