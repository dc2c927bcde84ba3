"""The target drafts for itself with some of its layers left out (Zhang et al., "Draft & Verify", arXiv 2309.08168)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.protocols import LanguageModel

DESCRIPTION = Description(
    name="layer-skip",
    label="layer skip",
    explanation="The target drafts with some of its own layers left out.",
    needs="target layers",
    policies=("fixed", "confidence", "history", "cost"),
    replannable=True,
    picture="some layers",
    does="the target with {of}layers",
    checks="checks all of them with all its layers, in one pass",
    drafting="The target guesses {next} with only {of}layers, one after the other.",
)


def make(kit: Kit, costs: Costs | None) -> "LayerSkipDrafter":
    """The target without the layers that it can best do without. The first time it takes a while: the layers are chosen then."""
    return LayerSkipDrafter(kit.fewer, kit.kept_layers, costs)


class LayerSkipDrafter(ModelDrafter):
    """Drafts with a copy of the target that shares its weights, lacks some of its layers and has a cache of its own.

    Attributes:
        layers: the indices of the target's layers that it uses, from 0.
    """

    name = DESCRIPTION.name

    def __init__(self, fewer: LanguageModel, layers: tuple[int, ...], costs: Costs | None = None) -> None:
        super().__init__(fewer, costs)
        self.layers = layers
