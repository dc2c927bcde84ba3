"""The target drafts for itself with some of its layers left out (Zhang et al., "Draft & Verify", arXiv 2309.08168)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.protocols import LanguageModel


def make(kit: Kit, costs: Costs | None) -> "LayerSkipDrafter":
    """The target without the layers that matter least. The first call takes a while, since it chooses the layers."""
    return LayerSkipDrafter(kit.fewer, kit.kept_layers, costs)


class LayerSkipDrafter(ModelDrafter):
    """Drafts with a copy of the target that shares its weights, skips some of its layers and has its own cache.

    Attributes:
        layers: the indices of the target's layers that it uses, from 0.
    """

    name = "layer-skip"

    def __init__(self, fewer: LanguageModel, layers: tuple[int, ...], costs: Costs | None = None) -> None:
        super().__init__(fewer, costs)
        self.layers = layers
