"""Passes over several texts of one length at once: the weights are read once for all of them, and each text has its own cache.

The engine decodes one text at a time. Here is what a server does with many, so that the cost of such a pass can be measured.
"""

from dataclasses import replace
from typing import Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from specviz.errors import PairError
from specviz.models.networks.geometry import Geometry
from specviz.models.networks.kv_cache import Extent, preallocated_cache
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.models.networks.positions import Positions
from specviz.models.networks.states import is_recurrent


class Batch(Protocol):
    """Reads the same number of tokens of each of b texts after their common length. What was never read before it is arbitrary numbers."""

    @property
    def kind(self) -> str:
        """The kind of network, in a few words."""
        ...

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens of each text."""
        ...

    def read_texts(self, tokens: Tensor, begin: int) -> Tensor:
        """Pass [b, n] ids through all layers, after `begin` cached tokens of each text: logits [b, n, head rows]."""
        ...


class LeanBatch(LeanDecoder):
    """A `Batch` with the weights of our own decoder, without CUDA graphs. All rows go through each matrix together; only attention is
    computed text by text, as further groups of heads.

    Args:
        decoder: shares its weights with this one.
        texts: the largest number of texts.
    """

    def __init__(self, decoder: LeanDecoder, texts: int) -> None:
        self.__dict__.update(vars(decoder))
        self._texts = texts
        self._keys, self._values, self._capacity = [], [], 0

    @torch.inference_mode()
    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens of each text."""
        super().begin(capacity)
        for buffer in self.buffers():
            buffer.normal_()  # the pages of zeros that were never written are one page of memory, which is read too fast

    @property
    def kind(self) -> str:
        return "own"

    @torch.inference_mode()
    def read_texts(self, tokens: Tensor, begin: int) -> Tensor:
        """See `Batch.read_texts`."""
        texts, count = tokens.shape
        one = self._geometry(Positions(begin, count))
        views = [
            replace(v, cos=v.cos.repeat(texts, 1, 1), sin=v.sin.repeat(texts, 1, 1), causal=False) for v in one.views
        ]
        states = self._run(self._embed(tokens.flatten()), replace(one, views=views), range(self.depth))
        return self._score(states)[0].view(texts, count, -1)

    def _attend(self, index: int, states: Tensor, geometry: Geometry) -> Tensor:
        """Attention of layer `index` for the rows of all texts, text after text: [b · n, heads · head width]."""
        assert isinstance(geometry.slots, slice), "made in `read_texts`"
        heads, groups, width = self._heads, self._groups, self._width
        count = geometry.end - geometry.slots.start
        texts = states.shape[0] // count
        view = geometry.views[self._layers[index].kind]
        rotated, fresh = self._projected(index, states, view)
        keys, values = self._keys[index][: texts * groups], self._values[index][: texts * groups]
        for buffer, new in ((keys, rotated[:, heads:]), (values, fresh)):
            buffer[:, geometry.slots] = new.reshape(texts, count, groups, width).transpose(1, 2).flatten(0, 1)
        queries = rotated[:, :heads].reshape(texts, count, groups, -1, width).permute(0, 2, 3, 1, 4).flatten(0, 1)
        mixed = self._mix(queries, keys[:, : geometry.end], values[:, : geometry.end], view)
        return mixed.reshape(texts, heads, count, width).transpose(1, 2).reshape(texts * count, -1)


class StockBatch:
    """A `Batch` by transformers' own modules.

    Raises:
        PairError: the model keeps a recurrent state.
    """

    kind = "transformers"

    def __init__(self, model: PreTrainedModel) -> None:
        if is_recurrent(model):
            raise PairError(
                f"{type(model).__name__} keeps a recurrent state, and only caches of keys and values are batched"
            )
        self._model, self._capacity = model, 0
        self._caches: dict[int, tuple[Cache, Extent]] = {}

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens of each text."""
        self._capacity, self._caches = capacity, {}

    @torch.inference_mode()
    def read_texts(self, tokens: Tensor, begin: int) -> Tensor:
        """See `Batch.read_texts`."""
        texts = tokens.shape[0]
        known = texts in self._caches
        if not known:
            self._caches[texts] = preallocated_cache(self._model.config.get_text_config(decoder=True).num_hidden_layers)
        cache, extent = self._caches[texts]
        extent.length, extent.capacity = begin, self._capacity
        logits: Tensor = self._model(tokens, past_key_values=cache, use_cache=True).logits
        if not known:
            for layer in cache.layers:
                for buffer in (layer.keys, layer.values) if layer.is_initialized else ():
                    buffer[:, :, :begin].normal_()
        return logits


def batch_of(network: Network, model: PreTrainedModel, texts: int) -> Batch:
    """The fastest batch of at most so many texts for a model and the network that runs it.

    Raises:
        PairError: the model keeps a recurrent state.
    """
    inner = network.innermost
    return LeanBatch(inner, texts) if isinstance(inner, LeanDecoder) else StockBatch(model)
