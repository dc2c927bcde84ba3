"""A trained head fills a block at once, corrects each slot by the token drafted before it, and stops where it is unsure (DSpark, in DeepSpec)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.kit import Kit


def make(kit: Kit, costs: Costs | None) -> "DSparkDrafter":
    """A drafter with the target's DSpark head."""
    return DSparkDrafter(kit.head("dspark"), costs)


class DSparkDrafter(BlockChain):
    """A chain from a block with a Markov bias. The policies "confidence" and "cost" ask its confidence head, before a slot's token is known."""

    name = "dspark"
