"""A trained head fills a block of tokens at once (DFlash: Chen et al., arXiv 2602.06036)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit

DESCRIPTION = Description(
    name="dflash",
    label="DFlash",
    explanation="A trained head fills a block of tokens in one pass; no token of the block waits for another.",
    needs="trained head",
    head="dflash",
    policies=("fixed", "confidence", "history", "cost"),
    picture="open block",
    does="a head on the target fills a block at once",
    drafting="The head fills the block in one pass: {count}.",
)


def make(kit: Kit, costs: Costs | None) -> "DFlashDrafter":
    """A drafter with the target's DFlash head."""
    return DFlashDrafter(kit.head(DESCRIPTION.head), costs)


class DFlashDrafter(BlockChain):
    """A chain from a bidirectional block. Its slots have no confidence head: the top probability of a slot takes its part."""

    name = DESCRIPTION.name
