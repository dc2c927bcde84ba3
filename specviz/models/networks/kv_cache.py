"""A key-value cache that is written in place and rolled back by setting a length, without copying."""

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

    Sliding-window layers keep all tokens too: their mask hides the tokens outside the window, and a rollback across the
    edge of the window loses nothing.
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
    """A transformers cache with `layers` preallocated layers, and the extent that they share."""
    extent = Extent()
    return Cache(layers=[PreallocatedLayer(extent) for _ in range(layers)]), extent
