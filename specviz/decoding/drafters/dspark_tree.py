"""A tree from a DSpark head: with its Markov bias every node's distribution is conditioned on its parent's token, after a single pass."""

from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> BlockTree:
    """A tree from a block with a Markov bias."""
    return BlockTree(parts.head, name="dspark-tree")
