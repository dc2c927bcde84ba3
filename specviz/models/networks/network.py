"""The interface between a cached model and its network."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence

import torch
from torch import Tensor

from specviz.errors import PairError
from specviz.models.networks.positions import Positions

# From the logits [1, head rows] and this step's row of the numbers to the id [1] to read next and what to keep of the
# step: the drawn id [], the distribution [V] that it was drawn from, and the logits [V].
DraftStep = Callable[[Tensor, Tensor | None], tuple[Tensor, tuple[Tensor, ...]]]
NOT_AT_ONCE = (
    "A full draft was requested in one call, which needs CUDA graphs and a chain of tokens: read token by token."
)


def at_taps(entering: Mapping[int, Tensor] | Sequence[Tensor], taps: Sequence[int], logits: Tensor) -> Tensor:
    """The states [m, taps, width] out of those [m, width] by layer; [m, 0, 0] like the logits without taps."""
    return torch.stack([entering[tap] for tap in taps], dim=1) if taps else logits.new_zeros(0, 0, 0)


class Network(ABC):
    """The layers of a decoder with key and value buffers that are written in place.

    Attributes:
        dtype: of keys, values and logits.
        taps: the layers whose entering states `read` returns; see `specviz.decoding.protocols.LanguageModel.tap`.
        tree_refusal: why a tree cannot be read, without a full stop; "" where it can.
        trees_by_path: why trees are read path by path; "" where they are not.
    """

    dtype: torch.dtype
    taps: tuple[int, ...] = ()
    tree_refusal = ""
    trees_by_path = ""

    @property
    @abstractmethod
    def depth(self) -> int:
        """The number of layers."""

    @property
    def split_refusal(self) -> str:
        """Why the layers cannot be run separately, as a sentence; empty if they can, and only then are `lower` and `upper`
        called."""
        return "Early exit needs our own decoder, and this target runs on transformers' own modules: choose another drafter."

    def show(self, taps: tuple[int, ...]) -> None:
        """From the next pass on, `read` returns the states at these taps."""
        self.taps = taps

    @property
    def innermost(self) -> "Network":
        """The network that runs the layers: itself, or the one that it wraps."""
        return self

    @property
    def drafts_at_once(self) -> bool:
        """True if `draft` saves going back to the host after every token."""
        return False

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of network, in a few words for the pair card."""

    @abstractmethod
    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens."""

    @abstractmethod
    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through all layers; their keys and values are written from `positions.begin` on.

        Returns:
            The logits of the last `rows` tokens (all by default), [rows, head rows], and the states of all m at the taps, [m, taps, width].
        """

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through the first `depth` layers only, writing the keys and values of these layers.

        Returns:
            The logits that the head gives after these layers, [rows, head rows], and the m states for `upper`, [m, ...].
        """
        raise PairError(self.split_refusal)

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        """Pass the states [m, ...] that `lower` returned for the [m] ids through the remaining layers; returns what `read` returns."""
        raise PairError(self.split_refusal)

    def boundaries(self, first: int, last: int) -> list[int]:
        """The lengths of text from `first` to `last` at which passes of other shapes begin; `first` is always one of them."""
        return [first]

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read [n] ids after `begin` cached ones, call `step`, read the id that it returns, and so on: `count` passes and steps. `drafted`
        must follow. Raises PairError if this network reads token by token.

        Args:
            kind: identifies what `step` computes; steps that compute something else need another kind.
            numbers: [count, ...] float64, positive and at most 1 unless they are temperatures: one row for each step; or None.

        Returns:
            The tensors that the steps kept, each stacked to [count, ...].
        """
        raise PairError(NOT_AT_ONCE)

    def drafted(self, tokens: Tensor, begin: int) -> None:
        """Note the [m] ids that `draft` has read after `begin` tokens."""

    @abstractmethod
    def keep(self, begin: int, slots: Sequence[int]) -> None:
        """The tokens in these slots join the text of `begin` tokens, in order; all other pending tokens are dropped."""

    @abstractmethod
    def release(self) -> None:
        """Free the buffers; `begin` allocates new ones."""

    @abstractmethod
    def buffers(self) -> list[Tensor]:
        """All key and value buffers, [heads, capacity, width] or [1, heads, capacity, width]; empty before the first pass."""
