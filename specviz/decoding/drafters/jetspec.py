"""A trained head fills a block in one pass, and a tree is grown from the slots' distributions (JetSpec: arXiv 2606.18394)."""

from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> "JetSpecDrafter":
    """A drafter with the target's JetSpec head."""
    return JetSpecDrafter(parts.head)


class JetSpecDrafter(BlockTree):
    """A tree from a causal block."""

    name = "jetspec"
