"""A key-value cache that is written in place and rolled back by setting a length, without copying."""

from functools import partial
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin


class Extent:
    """How much of the buffers is in use; one object shared by all layers.

    Attributes:
        length: number of cached tokens before the current pass.
        capacity: number of tokens that the buffers have room for.
    """

    def __init__(self) -> None:
        self.length = 0
        self.capacity = 0


class PreallocatedLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers ships no types for it
    """One layer's keys and values, [1, heads, capacity, width] each, allocated by the first pass that needs them.

    Layers with a sliding window or with chunks keep all tokens too: their mask hides the others, and a rollback across the
    edge of the window loses nothing. A layer that attends to another layer's keys and values never calls `update`, so it
    allocates nothing.
    """

    is_sliding = False
    is_croppable = True

    def __init__(self, extent: Extent) -> None:
        super().__init__()
        self._extent = extent

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        self.keys = key_states.new_zeros(*key_states.shape[:2], self._extent.capacity, key_states.shape[-1])
        self.values = value_states.new_zeros(*value_states.shape[:2], self._extent.capacity, value_states.shape[-1])
        self.is_initialized = True

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: object, **kwargs: object
    ) -> tuple[Tensor, Tensor]:
        """Write after the cached tokens; returns views of all keys and values up to the new end, not copies."""
        if not self.is_initialized or self.keys.shape[2] < self._extent.capacity:
            self.lazy_initialization(key_states, value_states)
        begin = self._extent.length
        end = begin + key_states.shape[2]
        self.keys[:, :, begin:end] = key_states
        self.values[:, :, begin:end] = value_states
        return self.keys[:, :, :end], self.values[:, :, :end]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self._extent.length + query_length, 0

    def get_seq_length(self) -> int:
        return self._extent.length

    def get_max_length(self) -> int:
        return -1


def preallocated_cache(layers: int) -> tuple[Cache, Extent]:
    """A transformers cache with `layers` preallocated layers, and the extent that they share.

    It grows where a model asks for more: the config of a decoder cut from an encoder-decoder counts the encoder's layers.
    """
    extent = Extent()
    cache = Cache(layers=[PreallocatedLayer(extent) for _ in range(layers)])
    cache.layer_class_to_replicate = partial(PreallocatedLayer, extent)
    return cache, extent


def estimated_bytes(config: Any, layers: int, dtype: torch.dtype) -> int:
    """Bytes of the keys and values of one token in `layers` layers of a model with this text config, before any is allocated.

    Layers that share another layer's keys and values are counted as if they had their own.
    """
    described = list(getattr(config, "per_layer_config", None) or [config])
    return layers * sum(map(_numbers_per_token, described)) // len(described) * dtype.itemsize


def _numbers_per_token(layer: Any) -> int:
    """The length of one token's key and value in this layer, over all heads."""
    latent = getattr(layer, "kv_lora_rank", None)
    if latent:  # keys and values of all heads are computed from one vector (DeepSeek-V2, arXiv 2405.04434, section 2.1)
        return int(latent + layer.qk_rope_head_dim)
    heads = getattr(layer, "num_key_value_heads", None) or getattr(layer, "num_attention_heads", None)
    if not isinstance(heads, int):
        return 0  # a model without attention, as Mamba is
    width = getattr(layer, "head_dim", None) or layer.hidden_size // layer.num_attention_heads
    return int(2 * heads * width)
