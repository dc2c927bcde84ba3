"""The states of recurrent layers: tensors of fixed size that summarise the text, which can be saved and restored but not cut.

State-space layers (Gu and Dao, arXiv 2312.00752), linear attention (Katharopoulos et al., arXiv 2006.16236) and short convolutions keep
such states. transformers stores them in cache layers; a model that keeps them elsewhere is refused. Keys and values of attention layers are not
saved: they are rolled back by length.
"""

import inspect
from copy import copy
from typing import Any

from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.cache_utils import (
    Cache,
    CacheLayerMixin,
    DynamicCache,
    DynamicIndexedLayer,
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionAndSlidingWindowAttentionLayer,
    LinearAttentionLayer,
)

from specviz.models.networks.kv_cache import Extent, PreallocatedLayer

# The names under which models take their cache.
CACHE_ARGUMENTS = ("past_key_values", "cache_params")
_ORDINARY = (DynamicLayer, DynamicSlidingWindowLayer)
_BOTH = (LinearAttentionAndFullAttentionLayer, LinearAttentionAndSlidingWindowAttentionLayer)


def is_recurrent(model: PreTrainedModel) -> bool:
    """True if the model keeps anything besides keys and values, so that its cache cannot be rolled back by length."""
    if getattr(model, "_is_stateful", False):
        return True
    try:
        layers = DynamicCache(config=model.config.get_text_config(decoder=True)).layers
    except (AttributeError, KeyError, NotImplementedError, TypeError, ValueError):
        return False
    return any(type(layer) not in _ORDINARY and not _stores_nothing(layer) for layer in layers)


def _stores_nothing(layer: object) -> bool:
    """True if a layer attends to the keys and values of another one, or to none. Older versions of transformers lack this class."""
    return type(layer).__name__ == "DummyLayer"


class MixedLayer(LinearAttentionLayer, CacheLayerMixin):  # type: ignore[misc]  # transformers ships no types for it
    """A layer with a recurrent state beside attention, whose keys and values are preallocated. `layer`: the empty layer
    of transformers' own that it replaces."""

    is_sliding = False
    is_compileable = False

    def __init__(self, extent: Extent, layer: LinearAttentionLayer) -> None:
        CacheLayerMixin.__init__(self)
        self.__dict__.update(vars(layer))  # the empty state of transformers' own layer
        self.attention = PreallocatedLayer(extent)

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: object, **kwargs: object
    ) -> tuple[Tensor, Tensor]:
        return self.attention.update(key_states, value_states)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.attention.get_mask_sizes(query_length)

    def get_seq_length(self) -> int:
        return self.attention.get_seq_length()

    def get_max_length(self) -> int:
        return -1


class IndexedLayer(PreallocatedLayer):
    """A layer that selects keys by a second, smaller kind of key (DeepSeek Sparse Attention): both kinds are rolled back by length."""

    def __init__(self, extent: Extent) -> None:
        super().__init__(extent)
        self._selecting = PreallocatedLayer(extent)

    def update_indexer(self, indexer_key_states: Tensor) -> Tensor:
        """Write after the cached tokens; returns all of them, [1, tokens, width]."""
        keys = indexer_key_states[:, None]
        return self._selecting.update(keys, keys[..., :0])[0][:, 0]


class States:
    """The cache of one recurrent or hybrid model. `model`: in evaluation mode.

    Attributes:
        argument: the name of the model's parameter for the cache.
        cache: what is passed under this name.
    """

    def __init__(self, model: PreTrainedModel, extent: Extent) -> None:
        parameters = inspect.signature(model.forward).parameters
        self.argument = next((name for name in CACHE_ARGUMENTS if name in parameters), CACHE_ARGUMENTS[0])
        self._config = model.config.get_text_config(decoder=True)
        self._extent = extent
        self.clear()

    @property
    def must_be_saved(self) -> bool:
        """True if there is anything to save; if not, the cache is rolled back by length alone."""
        return not all(isinstance(layer, PreallocatedLayer) or _stores_nothing(layer) for layer in self.cache.layers)

    def buffers(self) -> list[Tensor]:
        """The preallocated keys and values; empty before the first pass."""
        layers = [getattr(layer, "attention", layer) for layer in self.cache.layers]
        filled = [layer for layer in layers if isinstance(layer, PreallocatedLayer) and layer.is_initialized]
        return [buffer for layer in filled for buffer in (layer.keys, layer.values) if buffer is not None]

    def clear(self) -> None:
        """Start an empty text."""
        self.cache = Cache(layers=[self._layer(layer) for layer in DynamicCache(config=self._config).layers])

    def save(self) -> Any:
        """A copy of the states."""
        return copied(self.cache)

    def restore(self, saved: Any) -> None:
        """Continue from saved states, which may be restored again later."""
        self.cache = copied(saved)

    def _layer(self, layer: Any) -> Any:
        """The layer that takes the place of transformers' own; layers of unknown classes stay and are copied as they are."""
        if type(layer) in _ORDINARY:
            return PreallocatedLayer(self._extent)
        if type(layer) is DynamicIndexedLayer:
            return IndexedLayer(self._extent)
        return MixedLayer(self._extent, layer) if type(layer) in _BOTH else layer


def copied(value: Any) -> Any:
    """A copy of a cache with its own tensors. Preallocated keys and values are shared, since they are rolled back by length."""
    if isinstance(value, Tensor):
        return value.clone()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(copied(item) for item in value)
    shared = isinstance(value, PreallocatedLayer | nn.Module | PreTrainedConfig | type)
    if shared or not type(value).__module__.startswith(("transformers.", __name__)):
        return value
    twin = copy(value)
    twin.__dict__.update({name: copied(item) for name, item in vars(value).items()})
    return twin
