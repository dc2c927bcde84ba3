"""Our own decoder without some of its layers, and networks with buffers of their own: what a check has to notice, or to compare with."""

from collections.abc import Sequence
from copy import copy

from specviz.models.cached_model import CachedModel
from specviz.models.networks.kv_cache import preallocated_cache
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.models.networks.stock import StockNetwork


def without(network: Network, layers: Sequence[int]) -> LeanDecoder:
    """A decoder with the same weights that lacks these layers."""
    assert isinstance(network, LeanDecoder)
    fewer = copy(network)
    fewer._layers = [layer for index, layer in enumerate(network._layers) if index not in layers]
    fewer._capacity = 0
    fewer._keys, fewer._values = [], []
    return fewer


def with_own_cache(model: CachedModel) -> CachedModel:
    """The same model with an empty cache of its own."""
    twin = copy(model)
    if isinstance(model.network, StockNetwork):
        network = copy(model.network)
        network.cache, network.extent = preallocated_cache(len(network.cache.layers))
        twin.network = network
    else:
        twin.network = without(model.network, ())
    twin.tap(())
    twin._capacity, twin._committed, twin._parents, twin._ahead = 0, 0, [], None
    return twin
