"""A transformers causal language model that keeps its own cache right."""

from collections.abc import Hashable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

from specviz.decoding.protocols import CacheReport, Pick, Scores
from specviz.errors import CacheError, PairError
from specviz.models.networks.choice import Network, network_for
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.positions import Place, place_of
from specviz.models.networks.stock import StockNetwork

_SPARE = 64
"""Buffers grow by whole multiples of this many tokens, so that nearby capacities share one allocation."""


@dataclass(frozen=True, slots=True)
class _Ahead:
    """States [m, width] after `depth` layers of tokens that only these layers have read, in the pieces they were read in."""

    depth: int
    states: list[Tensor]

    @property
    def count(self) -> int:
        return sum(piece.shape[0] for piece in self.states)


class CachedModel:
    """Any causal model of transformers as a `specviz.decoding.protocols.LanguageModel`.

    Args:
        model: in evaluation mode, on its device.
        vocabulary: how many real ids the pair's tokenizer has. The head is cut to these before any softmax.
        end_ids: every id that ends a text.
        known: how many of these the model's own tokenizer has, all by default. Those it lacks, or that its head has no
            row for, get the lowest finite score, so probability 0, and are read as the last one it has.
        hidden: whether `forward` also returns the last layer's states.
        lean: read a Llama-type model by `LeanDecoder` instead of its own modules, which takes about a third of the time.
        compiled: let torch.compile work on it.

    Raises:
        CacheError: the model keeps a state that cannot be taken back.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: int,
        end_ids: frozenset[int] = frozenset(),
        *,
        known: int | None = None,
        hidden: bool = False,
        lean: bool = True,
        compiled: bool = False,
    ) -> None:
        text = model.config.get_text_config(decoder=True)
        _check_rewindable(model, text)
        self.model = model
        self.vocabulary = vocabulary
        self.end_ids = end_ids
        self.device = model.device
        self.context: int = getattr(text, "max_position_embeddings", None) or 2**31
        self.network: Network = network_for(model, lean=lean, hidden=hidden, compiled=compiled)
        self._hidden = hidden
        self._known = min(vocabulary, known or vocabulary)
        self._readable = min(self._known, model.get_input_embeddings().num_embeddings)
        self._capacity = self._committed = 0
        self._parents: list[int] = []
        self._ahead: _Ahead | None = None
        self._report = CacheReport(0, 0, 0)

    @property
    def length(self) -> int:
        return self._committed + len(self._parents)

    @property
    def decoder(self) -> str:
        """How the model is read, in a few words for the pair card."""
        return self.network.kind

    @property
    def report(self) -> CacheReport:
        return self._report

    def begin(self, capacity: int) -> None:
        rounded = -(-capacity // _SPARE) * _SPARE
        self._capacity = max(self._capacity, rounded)
        self.network.begin(self._capacity)
        self._report = CacheReport(0, self.length, 0)
        self._committed, self._parents, self._ahead = 0, [], None

    def release(self) -> None:
        """Empty the cache and give its memory back."""
        self.network.release()
        self._capacity = self._committed = 0
        self._parents, self._ahead = [], None

    @property
    def bytes_per_token(self) -> int:
        """What the keys and values of one token take in all layers."""
        text = self.model.config.get_text_config(decoder=True)
        heads = getattr(text, "num_key_value_heads", None) or text.num_attention_heads
        width = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
        return int(2 * self.network.depth * heads * width * self.network.dtype.itemsize)

    @torch.inference_mode()
    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`.

        Raises:
            PairError: for more tokens than `begin` made room for, or a tree that this model cannot read.
        """
        lines = self._lines(tokens.shape[0], parents)
        place = place_of(self._committed, lines, tokens.shape[0], self.device)
        logits, states = self._read(self._known_ids(tokens), place, rows)
        self._hold(lines)
        return Scores(self._real(logits), states if self._hidden else None)

    @property
    def drafts_at_once(self) -> bool:
        return isinstance(self.network, GraphedDecoder) and self.network.drafts_at_once

    @torch.inference_mode()
    def draft(
        self, tokens: Tensor, count: int, pick: Pick, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """See `ChainReader.draft`.

        Raises:
            PairError: for more tokens than there is room for, behind a tree, or where `drafts_at_once` says no.
        """
        lines = self._lines(tokens.shape[0] + count - 1)
        place = place_of(self._committed, lines, len(lines) - len(self._parents), self.device)
        if not isinstance(self.network, GraphedDecoder) or place.sees is not None:
            raise PairError("A whole draft can only be read from a chain, by CUDA graphs: read token by token.")

        def step(logits: Tensor, number: Tensor | None) -> tuple[Tensor, tuple[Tensor, ...]]:
            row = self._real(logits)[-1]
            token, probabilities = pick(row, number)
            return self._known_ids(token.reshape(1)), (token, probabilities, row)

        drawn, distributions, scores = self.network.draft(
            self._known_ids(tokens), place.begin, count, step, kind, numbers
        )
        self._hold(lines)
        return drawn, distributions, scores

    def keep(self, path: Sequence[int]) -> None:
        """See `LanguageModel.keep`.

        Raises:
            PairError: the places are not a line of pending tokens, each the child of the one before.
        """
        places = list(path)
        pending = len(self._parents)
        if any(not 0 <= p < pending or self._parents[p] != before for before, p in pairwise([-1, *places])):
            raise PairError(
                f"Only a line of the {pending} pending tokens can be kept, each following the one before; got {places}."
            )
        if places != list(range(len(places))):
            self.network.move(self._committed, [self._committed + p for p in places])
        kept = self._committed + len(places)
        self._report = CacheReport(kept, self.length - kept, 0)
        self._committed, self._parents, self._ahead = kept, [], None

    @torch.inference_mode()
    def look_ahead(self, tokens: Tensor, depth: int, rows: int | None = None) -> Tensor:
        """Read [m] tokens with the first `depth` layers only, behind what is kept and what was looked ahead at before.

        The next `forward` must begin with all of these tokens, as a chain, and goes on where they stopped: nothing is computed twice.
        `drop_ahead`, `keep` or `begin` drops them.

        Returns:
            [rows, V] the scores that the head gives after that layer.

        Raises:
            PairError: for more tokens than there is room for, or while tokens are pending.
        """
        ahead = self._ahead or _Ahead(depth, [])
        begin = self._committed + ahead.count
        if self._parents or ahead.depth != depth or begin + tokens.shape[0] > self._capacity:
            raise PairError(
                f"{tokens.shape[0]} tokens cannot be looked ahead at: {len(self._parents)} are pending, {ahead.count} ahead, and "
                f"there is room for {self._capacity - begin}."
            )
        place = Place(begin, tokens.shape[0])
        logits, states = self.network.lower(self._known_ids(tokens), place, depth, rows)
        self._ahead = _Ahead(depth, [*ahead.states, states])
        return self._real(logits)

    def drop_ahead(self) -> None:
        """Drop what was looked ahead at."""
        self._ahead = None

    def skipping(self, layers: Sequence[int]) -> "CachedModel":
        """A model of the same weights without these layers, with a cache of its own."""
        fewer = copy(self)
        fewer.network = self.network.skipping(layers)
        fewer._capacity = fewer._committed = 0
        fewer._parents, fewer._ahead, fewer._report = [], None, CacheReport(0, 0, 0)
        return fewer

    def _lines(self, count: int, parents: Sequence[int] | None = None) -> list[int]:
        """The parents of all that is pending once `count` more tokens are, theirs given as in `forward`."""
        if self.length + count > self._capacity:
            raise PairError(
                f"The cache has room for {self._capacity} tokens and {self.length + count} were read: "
                "begin with a larger capacity."
            )
        first = len(self._parents)
        return [*self._parents, *(first + p for p in (range(-1, count - 1) if parents is None else parents))]

    def _hold(self, lines: list[int]) -> None:
        """These tokens are pending now, all of them read."""
        before = self._report
        self._report = CacheReport(before.kept, before.dropped, before.added + len(lines) - len(self._parents))
        self._parents = lines

    def _read(self, tokens: Tensor, place: Place, rows: int | None) -> tuple[Tensor, Tensor]:
        """All layers over these tokens, but for what lower layers have computed already."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return self.network.read(tokens, place, rows)
        if place.sees is not None or place.begin != self._committed or ahead.count > place.count:
            raise PairError("Tokens were looked ahead at that are not the first ones of this pass: forget them before.")
        states = ahead.states
        if ahead.count < place.count:
            rest = Place(place.begin + ahead.count, place.count - ahead.count)
            states = [*states, self.network.lower(tokens[ahead.count :], rest, ahead.depth, 1)[1]]
        return self.network.upper(torch.cat(states), place, ahead.depth, rows)

    def _known_ids(self, tokens: Tensor) -> Tensor:
        """Ids that the model has no embedding for are read as the last one it has."""
        return tokens.clamp(max=self._readable - 1) if self._readable < self.vocabulary else tokens

    def _real(self, logits: Tensor) -> Tensor:
        """[m, head rows] as [m, V]. Finite where an id is lacking too: a recorded score must be a number."""
        own = logits[..., : self._known]
        lacking = self.vocabulary - own.shape[-1]
        return torch.nn.functional.pad(own, (0, lacking), value=torch.finfo(own.dtype).min) if lacking else own


def check_rewind(model: CachedModel) -> None:
    """Read a short text, take back half of it and read on: the scores must be those of a model that never saw that half.

    Raises:
        CacheError: they are not; or the scores of a token depend on what follows it; or the model cannot be read with
            this kind of cache at all.
        PairError: the scores are no numbers.
    """
    name = type(model.model).__name__
    ids = torch.arange(1, 9, device=model.device) % model.vocabulary
    try:
        model.begin(16)
        fresh = model.forward(torch.cat([ids[:3], ids[6:]])).logits.float()
        model.begin(16)
        first = model.forward(ids[:6]).logits.float()
        model.keep(range(3))
        again = model.forward(ids[6:]).logits.float()
        model.begin(16)
    except (PairError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise CacheError(
            f"{name} cannot be read with a cache that is written in place ({' '.join(str(error).split())[:200]}): choose "
            "another model."
        ) from error
    if not fresh.isfinite().all():
        raise PairError(f"{name} gives scores that are no numbers: choose float32, or download the model again.")
    if not _alike(fresh[:3], first[:3], model.model.dtype):
        raise CacheError(
            f"{name} scores a token by what follows it, so it cannot continue a text: choose a causal language model."
        )
    if not _alike(fresh[3:], again, model.model.dtype):
        raise CacheError(
            f"{name} does not forget tokens that are taken back from its cache, and speculation must take back rejected "
            "ones: choose a model with ordinary attention."
        )


def trusted(model: CachedModel) -> CachedModel:
    """The same model; by the library's own modules if our decoder does not score a short text as they do."""
    if isinstance(model.network, StockNetwork):
        return model
    ids = torch.arange(1, 9, device=model.device) % model.vocabulary
    ordinary = CachedModel(
        model.model, model.vocabulary, model.end_ids, known=model._known, hidden=model._hidden, lean=False
    )
    scores = []
    for one in (ordinary, model):
        one.begin(ids.shape[0])
        scores.append(one.forward(ids).logits.float())
        one.begin(ids.shape[0])
    same = scores[0].isfinite().all() and _alike(scores[0], scores[1], model.model.dtype)
    return model if same else ordinary


def _alike(one: Tensor, other: Tensor, dtype: torch.dtype) -> bool:
    """Equal but for rounding. Half precision rounds coarsely, but no wrong cache is as near as this in a trained model."""
    ordinary = one[one > torch.finfo(dtype).min]
    tolerance = (0.1 if dtype.itemsize == 2 else 1e-3) * float(ordinary.max() - ordinary.min())
    return torch.allclose(one, other, rtol=0, atol=max(tolerance, 1e-6))


def _check_rewindable(model: PreTrainedModel, text_config: object) -> None:
    name = type(model).__name__
    try:
        layers = DynamicCache(config=text_config).layers
    except Exception as error:
        raise CacheError(
            f"{name} keeps a cache of an unknown kind ({error}): choose an ordinary attention model."
        ) from error
    odd = {type(layer).__name__ for layer in layers if type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer)}
    if getattr(model, "_is_stateful", False) or odd:
        kind = ", ".join(sorted(odd)) or "a recurrent state"
        raise CacheError(
            f"{name} cannot take back tokens once read (its cache holds {kind}), and speculation must take back rejected "
            "ones: choose a model with ordinary attention."
        )
