"""A transformers causal language model that manages its own key-value cache."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache

from specviz.decoding.protocols import CacheReport, LanguageModel, Pick, Scores
from specviz.errors import CacheError, PairError
from specviz.models.networks.families import is_lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.kv_cache import estimated_bytes
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import NOT_AT_ONCE, Network
from specviz.models.networks.originals import free_again
from specviz.models.networks.parts import fit_vocabulary
from specviz.models.networks.positions import Positions, positions_of
from specviz.models.networks.recurrent import RecurrentNetwork
from specviz.models.networks.replay import ReplayNetwork, rotary_boundary
from specviz.models.networks.states import is_recurrent
from specviz.models.networks.stock import StockNetwork

# Capacities are rounded up to a multiple of this many tokens, so that similar capacities share one allocation.
_CAPACITY_STEP = 64
_SMALL_CAPACITY = 4096  # buffers for up to this many tokens are never exchanged for smaller ones
# Larger buffers are exchanged when a text needs at most 1 in this many of their tokens: one long prompt must not cost memory for ever.
_SHRINK_FACTOR = 4


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Tokens that only the first `depth` layers have read: their states [m, ...], one tensor for each call."""

    depth: int
    states: list[Tensor]

    @property
    def count(self) -> int:
        return sum(chunk.shape[0] for chunk in self.states)


class CachedModel(LanguageModel):
    """Any causal model of transformers as a `specviz.decoding.protocols.LanguageModel`. Raises CacheError if the model's
    kind of cache is unknown, or it cannot continue a text from its own states.

    Args:
        model: in evaluation mode, on its device.
        vocabulary: number of real ids of the pair's tokenizer. The logits are cut to this length before any softmax.
        end_ids: every id that ends a text.
        own_ids: how many of these ids the model's own tokenizer has, all by default. An id that it lacks, or that its head
            has no row for, gets the lowest finite logit, so probability 0, and is read as the last id that it has.
        lean: run a model of a known family with `LeanDecoder` instead of its own modules, in about half of the time.
        network: what runs the model, chosen by `network_for` by default.

    Attributes:
        own_ids: how many ids the model's own tokenizer has, from 0.
        readable: how many of them have an embedding of their own.
        no_trees: why `forward` refuses trees, one sentence; empty while it reads them.
    """

    no_trees = ""

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: int,
        end_ids: frozenset[int] = frozenset(),
        *,
        own_ids: int | None = None,
        lean: bool = True,
        network: Network | None = None,
    ) -> None:
        text = model.config.get_text_config(decoder=True)
        if not is_recurrent(model):
            _check_cache(model, text)
        self.model = model
        self.vocabulary = vocabulary
        self.end_ids = end_ids
        self.device = model.device
        limit: int = getattr(text, "max_position_embeddings", None) or 0
        self.context = limit if limit > 0 else 2**31  # XLNet's -1 stands for no limit
        self.network: Network = network or _network_for(model, lean=lean)
        if self.network.tree_refusal:
            self.read_trees_by_path(self.network.tree_refusal)
        self.own_ids = min(vocabulary, own_ids or vocabulary)
        self.readable: int = min(self.own_ids, model.get_input_embeddings().num_embeddings)
        self._capacity = self._committed = 0
        self._parents: list[int] = []
        self._ahead: _Ahead | None = None
        self._report = CacheReport(0, 0, 0)

    @property
    def length(self) -> int:
        return self._committed + len(self._parents)

    @property
    def decoder(self) -> str:
        """Which network runs the model, in a few words for the pair card."""
        return self.network.kind

    @property
    def report(self) -> CacheReport:
        return self._report

    def begin(self, capacity: int) -> None:
        rounded = -(-capacity // _CAPACITY_STEP) * _CAPACITY_STEP
        if self._capacity > _SMALL_CAPACITY and 0 < _SHRINK_FACTOR * rounded <= self._capacity:
            self.network.release()
            self._capacity = rounded
        self._capacity = max(self._capacity, rounded)
        self.network.begin(self._capacity)
        self._report = CacheReport(0, self.length, 0)
        self._committed, self._parents, self._ahead = 0, [], None

    def tap(self, layers: Sequence[int]) -> None:
        """See `LanguageModel.tap`. Raises PairError if the model has no such layer, or its states cannot be read."""
        taps = tuple(layers)
        if any(not 0 <= tap <= self.network.depth for tap in taps):
            raise PairError(
                f"The states at layers {taps} were requested, but the model has {self.network.depth} layers: give 0 to that."
            )
        self.network.show(taps)

    def release(self) -> None:
        """Empty the cache and free its memory."""
        self.network.release()
        self._capacity = self._committed = 0
        self._parents, self._ahead = [], None

    def free_originals(self, reload: Callable[[], PreTrainedModel]) -> None:
        """Free the weights of transformers' modules that our decoder has copied. Call it when the decoder has been
        checked. `reload`: loads the same checkpoint again, which happens when one of these modules is called."""
        if isinstance(self.network, LeanDecoder):
            self.network.free_originals(self.model, reload)

    def free_again(self) -> None:
        """Free these weights again, if transformers' modules have been called meanwhile and do not run this model."""
        if isinstance(self.network.innermost, LeanDecoder):
            free_again(self.model)

    @property
    def bytes_per_token(self) -> int:
        """Bytes of the keys and values of one token, over all layers; before the first pass this is an estimate."""
        buffers = self.network.buffers()
        if buffers:
            return sum(buffer[..., :1, :].numel() * buffer.element_size() for buffer in buffers)
        text = self.model.config.get_text_config(decoder=True)
        return estimated_bytes(text, self.network.depth, self.network.dtype)

    @torch.inference_mode()
    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`. Raises PairError if there are more tokens than `begin` made room for, or this
        model cannot read a tree here."""
        if self.no_trees and parents is not None and list(parents) != list(range(-1, len(parents) - 1)):
            raise PairError(self.no_trees)
        pending = self._pending_after(tokens.shape[0], parents)
        positions = positions_of(self._committed, pending, tokens.shape[0], self.device)
        logits, states = self._read(self._readable_ids(tokens), positions, rows)
        self._add_pending(pending)
        return Scores(self._fit_vocabulary(logits), states if self.network.taps else None)

    @property
    def drafts_at_once(self) -> bool:
        return self.network.drafts_at_once

    def boundaries(self, first: int, last: int) -> list[int]:
        """The lengths of text from `first` to `last` at which passes of other shapes begin; `first` is always one of them."""
        return self.network.boundaries(first, last)

    @torch.inference_mode()
    def draft(
        self, tokens: Tensor, count: int, pick: Pick, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """See `LanguageModel.draft`. Raises PairError if there are more tokens than `begin` made room for, the pending
        tokens form a tree, or the network has no CUDA graphs."""
        pending = self._pending_after(tokens.shape[0] + count - 1)
        positions = positions_of(self._committed, pending, len(pending) - len(self._parents), self.device)
        if positions.attends is not None:
            raise PairError(NOT_AT_ONCE)

        def step(logits: Tensor, number: Tensor | None) -> tuple[Tensor, tuple[Tensor, ...]]:
            row = self._fit_vocabulary(logits)[-1]
            token, probabilities = pick(row, number)
            return self._readable_ids(token.reshape(1)), (token, probabilities, row)

        ids = self._readable_ids(tokens)
        drawn_ids = self.network.draft(ids, positions.begin, count, step, kind, numbers)
        self.network.drafted(torch.cat([ids, self._readable_ids(drawn_ids[0][:-1])]), positions.begin)
        self._add_pending(pending)
        return drawn_ids

    def keep(self, path: Sequence[int]) -> None:
        """See `LanguageModel.keep`. Raises PairError if the path is not a chain of pending tokens, each the child of
        the one before."""
        indices = list(path)
        pending = len(self._parents)
        if any(not 0 <= i < pending or self._parents[i] != before for before, i in pairwise([-1, *indices])):
            raise PairError(
                f"The path to keep was {indices}: give a chain of the {pending} pending tokens, each the child of the one before."
            )
        self.network.keep(self._committed, [self._committed + i for i in indices])
        length = self._committed + len(indices)
        self._report = CacheReport(length, self.length - length, 0)
        self._committed, self._parents, self._ahead = length, [], None

    @torch.inference_mode()
    def look_ahead(self, tokens: Tensor, depth: int, rows: int | None = None) -> Tensor:
        """Read [m] tokens with the first `depth` layers only, after the committed text and the tokens of earlier calls.

        The next `forward` must begin with all of these tokens, as a chain. It continues from their states, so that no layer
        computes a token twice. `drop_ahead`, `keep` and `begin` drop them. Raises PairError if there are more tokens than
        `begin` made room for, tokens are pending, or `depth` has changed.

        Returns:
            [rows, V] logits that the head gives after layer `depth`.
        """
        assert not self.network.taps, "halves of a pass do not show its states"
        ahead = self._ahead or _Ahead(depth, [])
        begin = self._committed + ahead.count
        if self._parents or ahead.depth != depth or begin + tokens.shape[0] > self._capacity:
            raise PairError(
                f"{tokens.shape[0]} tokens cannot be read ahead with {depth} layers: {len(self._parents)} are pending, "
                f"{ahead.count} are ahead with {ahead.depth} layers, and there is room for {self._capacity - begin}. "
                "Call keep or drop_ahead first, or begin with a larger capacity."
            )
        positions = Positions(begin, tokens.shape[0])
        logits, states = self.network.lower(self._readable_ids(tokens), positions, depth, rows)
        self._ahead = _Ahead(depth, [*ahead.states, states])
        return self._fit_vocabulary(logits)

    def drop_ahead(self) -> None:
        """Drop the tokens that only the first layers have read."""
        self._ahead = None

    def read_trees_by_path(self, reason: str) -> None:
        """From the next `begin` on, read every path of a tree as a chain after the text: slower, and right without any
        mask. `reason`: why, in one sentence for the pair card; "" to read them in one pass again."""
        if not isinstance(self.network, ReplayNetwork):
            self.network = ReplayNetwork(self.network)
        self.network.by_path(reason)

    def stock(self) -> "CachedModel":
        """This model run by transformers' own modules, with its own cache."""
        return CachedModel(self.model, self.vocabulary, self.end_ids, own_ids=self.own_ids, lean=False)

    def _pending_after(self, count: int, parents: Sequence[int] | None = None) -> list[int]:
        """The parents of all pending tokens after `count` more are read; `parents` is counted as in `forward`."""
        if self.length + count > self._capacity:
            raise PairError(
                f"The cache has room for {self._capacity} tokens and {self.length + count} were read: "
                "begin with a larger capacity."
            )
        first = len(self._parents)
        return [*self._parents, *(first + p for p in (range(-1, count - 1) if parents is None else parents))]

    def _add_pending(self, parents: list[int]) -> None:
        """Note that these are the pending tokens now, and that all of them were read."""
        before = self._report
        self._report = CacheReport(before.kept, before.dropped, before.added + len(parents) - len(self._parents))
        self._parents = parents

    def _read(self, tokens: Tensor, positions: Positions, rows: int | None) -> tuple[Tensor, Tensor]:
        """Pass these tokens through all layers, except what the lower layers have computed already."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return self.network.read(tokens, positions, rows)
        if positions.attends is not None or positions.begin != self._committed or ahead.count > positions.count:
            raise PairError(
                f"{ahead.count} tokens were read ahead, and this pass of {positions.count} does not begin with them as a chain: "
                "call drop_ahead before it."
            )
        states = ahead.states
        if ahead.count < positions.count:
            rest = Positions(positions.begin + ahead.count, positions.count - ahead.count)
            states = [*states, self.network.lower(tokens[ahead.count :], rest, ahead.depth, 1)[1]]
        return self.network.upper(tokens, torch.cat(states), positions, ahead.depth, rows)

    def _readable_ids(self, tokens: Tensor) -> Tensor:
        """Replace ids that the model has no embedding for by the last id that it has."""
        return tokens.clamp(max=self.readable - 1) if self.readable < self.vocabulary else tokens

    def _fit_vocabulary(self, logits: Tensor) -> Tensor:
        return fit_vocabulary(logits, self.own_ids, self.vocabulary)


def _check_cache(model: PreTrainedModel, text_config: object) -> None:
    try:
        DynamicCache(config=text_config)
    except Exception as error:
        raise CacheError(
            f"{type(model).__name__} has an unknown kind of cache ({error}): choose a model with ordinary attention."
        ) from error


def _network_for(model: PreTrainedModel, *, lean: bool) -> Network:
    """The fastest network that can run this model; without `lean` one of the model's own modules."""
    boundary = rotary_boundary(model.config.get_text_config(decoder=True))
    if is_recurrent(model):
        recurrent = RecurrentNetwork(model)
        reason = (
            "a recurrent state cannot branch"
            if recurrent.states.must_be_saved
            else "this attention selects keys of a chain"
        )
        return ReplayNetwork(recurrent, reason, boundary)
    if not lean or not is_lean(model):
        stock = StockNetwork(model)
        return ReplayNetwork(stock, boundary=boundary) if boundary else stock
    return GraphedDecoder(model) if model.device.type == "cuda" else LeanDecoder(model)
