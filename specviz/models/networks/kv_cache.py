"""A key-value cache that is written in place and shortened by setting a length: taking back copies nothing."""

from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin


class Extent:
    """How much of the buffers is text; one object shared by all layers.

    Attributes:
        length: tokens held before the pass that is under way.
        capacity: tokens there is room for.
    """

    def __init__(self) -> None:
        self.length = 0
        self.capacity = 0


class PreallocatedLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers ships no types for it
    """One layer's keys and values, [1, heads, capacity, width] each, allocated at the first pass that needs them.

    Sliding-window layers are kept whole too: their mask hides what lies outside the window, and nothing is lost when
    tokens are taken back across its edge.
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
        """Write behind what is held; views of everything up to there, no copy."""
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
    """A transformers cache of `layers` preallocated layers, and the extent that governs them all."""
    extent = Extent()
    return Cache(layers=[PreallocatedLayer(extent) for _ in range(layers)]), extent
