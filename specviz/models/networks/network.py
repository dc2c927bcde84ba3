"""The interface between a cached model and its network."""

from collections.abc import Hashable, Sequence
from typing import Protocol

import torch
from torch import Tensor

from specviz.models.networks.ordinary import DraftStep
from specviz.models.networks.positions import Positions


class Network(Protocol):
    """The layers of a decoder with key and value buffers that are written in place.

    Attributes:
        depth: number of layers.
        dtype: of keys, values and logits.
        trees_by_path: why trees are read path by path; "" where they are not.
    """

    dtype: torch.dtype
    trees_by_path: str

    @property
    def depth(self) -> int: ...

    @property
    def taps(self) -> tuple[int, ...]:
        """The layers whose entering states `read` returns; see `specviz.decoding.protocols.LanguageModel.tap`."""
        ...

    @property
    def split_refusal(self) -> str:
        """Why the layers cannot be run separately, as a sentence; empty if they can. Where they cannot, `lower`, `upper` and
        `exits` raise a PairError."""
        ...

    @property
    def tree_refusal(self) -> str:
        """Why a tree cannot be read, without a full stop; "" where it can."""
        ...

    def show(self, taps: tuple[int, ...]) -> None:
        """From the next pass on, `read` returns the states at these taps."""
        ...

    @property
    def innermost(self) -> "Network":
        """The network that runs the layers: itself, or the one that it wraps."""
        ...

    @property
    def drafts_at_once(self) -> bool:
        """Whether `draft` saves going back to the host after every token."""
        ...

    @property
    def kind(self) -> str:
        """The kind of network, in a few words for the pair card."""
        ...

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens."""
        ...

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through all layers; their keys and values are written from `positions.begin` on.

        Returns:
            The logits of the last `rows` tokens (all by default), [rows, head rows], and the states of all m at the taps, [m, taps, width].
        """
        ...

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through the first `depth` layers only, writing the keys and values of these layers.

        Returns:
            The logits that the head gives after these layers, [rows, head rows], and the m states for `upper`, [m, ...].
        """
        ...

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        """Pass the states [m, ...] that `lower` returned for the [m] ids through the remaining layers; returns what `read` returns."""
        ...

    def boundaries(self, first: int, last: int) -> list[int]:
        """The lengths of text from `first` to `last` at which passes of other shapes begin; `first` is always one of them."""
        ...

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read [n] ids after `begin` cached ones, call `step`, read the id that it returns, and so on: `count` passes and steps. `drafted`
        must follow.

        Args:
            kind: identifies what `step` computes; steps that compute something else need another kind.
            numbers: [count, ...] float64, positive and at most 1 unless they are temperatures: one row for each step; or None.

        Returns:
            The tensors that the steps kept, each stacked to [count, ...].

        Raises:
            PairError: this network reads token by token.
        """
        ...

    def drafted(self, tokens: Tensor, begin: int) -> None:
        """Note the [m] ids that `draft` has read after `begin` tokens."""
        ...

    def keep(self, begin: int, slots: Sequence[int]) -> None:
        """The tokens in these slots join the text of `begin` tokens, in order; all other pending tokens are dropped."""
        ...

    def release(self) -> None:
        """Free the buffers; `begin` allocates new ones."""
        ...

    def buffers(self) -> list[Tensor]:
        """All key and value buffers, [heads, capacity, width] or [1, heads, capacity, width]; empty before the first pass."""
        ...
