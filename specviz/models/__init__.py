"""Real models: the only package that imports transformers."""

from specviz.known_pairs import PairStatus
from specviz.models.cached_model import CachedModel
from specviz.models.catalogue import listings
from specviz.models.loading import load_pair, with_draft
from specviz.models.pair import Pair

__all__ = ["CachedModel", "Pair", "PairStatus", "listings", "load_pair", "with_draft"]
