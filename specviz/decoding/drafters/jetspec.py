"""A trained head fills a block in one pass, and a tree is grown from the slots' distributions (JetSpec: arXiv 2606.18394)."""

from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> BlockTree:
    """A tree from a causal block."""
    return BlockTree(parts.head, name="jetspec")
