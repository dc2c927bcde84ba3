"""The states of recurrent layers: tensors of fixed size that summarise the text, which can be saved and restored but not cut.

State-space layers (Gu and Dao, arXiv 2312.00752), linear attention (Katharopoulos et al., arXiv 2006.16236) and short convolutions keep
such states. transformers stores them in cache layers, in a cache class of the model's own, or in the model's modules; all three are
handled here. Keys and values of attention layers are not saved: they are rolled back by length.
"""

import inspect
from copy import copy
from functools import partial
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

# The names under which models take their cache, and under which their outputs return it.
CACHE_ARGUMENTS = ("past_key_values", "cache_params", "state")
_ORDINARY = (DynamicLayer, DynamicSlidingWindowLayer)
_BOTH = (LinearAttentionAndFullAttentionLayer, LinearAttentionAndSlidingWindowAttentionLayer)

# A copy of the states: the cache, and the tensors that the modules keep themselves.
Saved = tuple[Any, list[Tensor | None]]


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
    """The cache of one recurrent or hybrid model.

    Args:
        model: in evaluation mode.
        kind: the model's own cache class, if it accepts no other; None lets the model make its cache itself, which is then copied with
            its keys and values.

    Attributes:
        argument: the name of the model's parameter for the cache.
        cache: what is passed under this name; None before the first pass of a model that makes its cache itself.
    """

    def __init__(self, model: PreTrainedModel, extent: Extent, kind: type[Cache] | None = Cache) -> None:
        parameters = inspect.signature(model.forward).parameters
        self.argument = next((name for name in CACHE_ARGUMENTS if name in parameters), CACHE_ARGUMENTS[0])
        self._config = model.config.get_text_config(decoder=True)
        self._extent, self._kind = extent, kind
        self._attributes: list[tuple[nn.Module, str]] = []
        self._tensors: list[Tensor | None] = []
        self.clear()

    @property
    def must_be_saved(self) -> bool:
        """True if there is anything to save; if not, the cache is rolled back by length alone."""
        ours = self._kind is Cache and all(
            isinstance(layer, PreallocatedLayer) or _stores_nothing(layer) for layer in self.cache.layers
        )
        return bool(self._attributes) or not ours

    def twin(self, extent: Extent) -> "States":
        """The cache of another text, empty, for a network that uses some or all of the same modules."""
        twin = copy(self)
        twin._extent = extent
        twin.clear()
        return twin

    def buffers(self) -> list[Tensor]:
        """The preallocated keys and values; empty before the first pass."""
        layers = [getattr(layer, "attention", layer) for layer in getattr(self.cache, "layers", [])]
        filled = [layer for layer in layers if isinstance(layer, PreallocatedLayer) and layer.is_initialized]
        return [buffer for layer in filled for buffer in (layer.keys, layer.values) if buffer is not None]

    def clear(self) -> None:
        """Start an empty text."""
        self.cache: Any = None if self._kind is None else self._new_cache(self._kind)
        self._tensors = [None] * len(self._attributes)

    def save(self) -> Saved:
        """A copy of the states."""
        return copied(self.cache), copied(self._tensors)

    def restore(self, saved: Saved) -> None:
        """Continue from saved states, which may be restored again later."""
        self.cache, self._tensors = copied(saved[0]), copied(saved[1])

    def put(self) -> None:
        """Before a pass: give the modules the states of this text. Other networks may share the same modules."""
        for (module, name), tensor in zip(self._attributes, self._tensors, strict=True):
            setattr(module, name, tensor)

    def take(self, output: Any) -> None:
        """After a pass: store what the modules keep, and the cache if the model made it."""
        self._tensors = [getattr(module, name) for module, name in self._attributes]
        if self._kind is None:
            self.cache = output[self.argument]

    def watch(self, model: PreTrainedModel, before: dict[tuple[nn.Module, str], Tensor | None]) -> None:
        """Find the tensors that the modules keep: those that differ from `tensors_in(model)` before a pass."""
        tensors = tensors_in(model)
        self._attributes = [key for key, tensor in tensors.items() if key in before and tensor is not before[key]]
        self._tensors = [None] * len(self._attributes)

    def _new_cache(self, kind: type[Cache]) -> Cache:
        if kind is not Cache:
            cache = kind()
            cache.layer_class_to_replicate = partial(PreallocatedLayer, self._extent)
            return cache
        return Cache(layers=[self._layer(layer) for layer in DynamicCache(config=self._config).layers])

    def _layer(self, layer: Any) -> Any:
        """The layer that takes the place of transformers' own; layers of unknown classes stay and are copied as they are."""
        if type(layer) in _ORDINARY:
            return PreallocatedLayer(self._extent)
        if type(layer) is DynamicIndexedLayer:
            return IndexedLayer(self._extent)
        return MixedLayer(self._extent, layer) if type(layer) in _BOTH else layer


def tensors_in(model: PreTrainedModel) -> dict[tuple[nn.Module, str], Tensor | None]:
    """The plain attributes of all modules that are tensors, or None: neither weights nor buffers."""
    return {
        (module, name): value
        for module in model.modules()
        for name, value in vars(module).items()
        if (value is None or isinstance(value, Tensor)) and not name.startswith("_")
    }


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
