"""A trained head fills a block of tokens at once (DFlash: Chen et al., arXiv 2602.06036)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.kit import Kit


def make(kit: Kit, costs: Costs | None) -> "DFlashDrafter":
    """A drafter with the target's DFlash head."""
    return DFlashDrafter(kit.head("dflash"), costs)


class DFlashDrafter(BlockChain):
    """A chain from a bidirectional block. Its slots have no confidence head: the top probability of a slot takes its part."""

    name = "dflash"
