"""Short passes on the CPU, compiled by `torch.compile` into fewer and larger kernels. Compiling takes a minute or two."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.geometry import attended_slots
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions

LONGEST = 17
"""Longer passes (prompts) run uncompiled."""


class CompiledDecoder(LeanDecoder):
    """A `LeanDecoder` whose short chains run as compiled code. They are compiled in the first passes, which take a minute or two.

    Compiled code sums in a different order, so its logits differ by rounding.

    Args:
        model: as for `LeanDecoder`.
        backend: the compiler backend of torch.
    """

    def __init__(self, model: PreTrainedModel, backend: str | Callable[..., Any] = "inductor") -> None:
        super().__init__(model)
        self._backend = backend
        self._compiled = torch.compile(self.read_at, dynamic=True, backend=backend)

    @property
    def kind(self) -> str:
        return "own, compiled"

    def skipping(self, layers: Sequence[int]) -> "CompiledDecoder":
        shallower = super().skipping(layers)
        assert isinstance(shallower, CompiledDecoder), "a copy has the same class"
        shallower._compiled = torch.compile(shallower.read_at, dynamic=True, backend=self._backend)
        return shallower

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`.

        Raises:
            PairError: this machine has no compiler, or the compiler fails.
        """
        if self.taps or positions.attends is not None or positions.count > LONGEST:
            return super().read(tokens, positions, rows)
        try:
            length = torch.tensor(positions.begin, device=tokens.device)
            logits, states = self._compiled(tokens, length, None, attended_slots(positions.end, self._capacity))
        except torch._dynamo.exc.BackendCompilerFailed as error:
            reason = " ".join(str(error).split())[:160]
            raise PairError(
                f"The passes could not be compiled ({reason}): install a C++ compiler such as g++, or leave --compile out."
            ) from error
        return logits if rows is None else logits[-rows:], states
