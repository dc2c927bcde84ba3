"""A tree from a DSpark head: with its Markov bias every node's distribution is conditioned on its parent's token, after a single pass."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit

DESCRIPTION = Description(
    name="dspark-tree",
    label="DSpark tree",
    explanation="DSpark's head drafts a tree: each guess is scored after the token that it follows, still in one pass.",
    needs="trained head",
    head="dspark",
    shape="tree",
    siblings=("top",),
    picture="linked block",
    does="one pass of a head, paths that know their last token",
    drafting="The head fills a block in one pass, and each guess is scored after the one it follows: {count}, a tree.",
)


def make(kit: Kit, costs: Costs | None) -> "DSparkTreeDrafter":
    """A drafter with the target's DSpark head."""
    return DSparkTreeDrafter(kit.head(DESCRIPTION.head))


class DSparkTreeDrafter(BlockTree):
    """A tree from a block with a Markov bias."""

    name = DESCRIPTION.name
