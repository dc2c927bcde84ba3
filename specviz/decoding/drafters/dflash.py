"""A trained head fills a block of tokens at once (DFlash: Chen et al., arXiv 2602.06036)."""

from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> BlockChain:
    """A chain from a bidirectional block. Its slots have no confidence head: the top probability of a slot takes its part."""
    return BlockChain(parts.head, parts.costs, name="dflash")
