"""One file per way of drafting; each is a `specviz.protocols.Drafter`."""

from specviz.drafters.early_exit import EarlyExitDrafter
from specviz.drafters.model import ModelDrafter
from specviz.drafters.ngram import NgramDrafter
from specviz.drafters.none import NoDrafter
from specviz.drafters.tree import TreeDrafter

__all__ = ["EarlyExitDrafter", "ModelDrafter", "NgramDrafter", "NoDrafter", "TreeDrafter"]
