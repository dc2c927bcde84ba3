"""The first EAGLE (Li et al., arXiv 2401.15077) drafts a chain: its head learned to guess the target's next state, and each further guess
is made from the one before, so that errors add up. EAGLE-3 was made to avoid that."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.eagle import EagleDrafter
from specviz.decoding.drafters.kit import Kit


def make(kit: Kit, costs: Costs | None) -> "Eagle1Drafter":
    """A drafter with the head that was trained for the pair's target."""
    return Eagle1Drafter(kit.head("eagle1"), costs)


class Eagle1Drafter(EagleDrafter):
    """Drafts a chain with an EAGLE-1 head."""

    name = "eagle1"
