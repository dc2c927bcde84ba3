"""A trained head fills a block in one pass, and a tree is grown from the slots' distributions (JetSpec: arXiv 2606.18394)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit

DESCRIPTION = Description(
    name="jetspec",
    label="JetSpec",
    explanation="A trained head fills a block in one pass, each slot seeing those before it; the likeliest paths through it are a tree.",
    needs="trained head",
    head="jetspec",
    shape="tree",
    siblings=("top",),
    picture="causal block",
    does="a head on the target: one pass, many paths",
    drafting="The head fills a block in one pass: {count}, a column for each slot, the same after every guess before it.",
)


def make(kit: Kit, costs: Costs | None) -> "JetSpecDrafter":
    """A drafter with the target's JetSpec head."""
    return JetSpecDrafter(kit.head(DESCRIPTION.head))


class JetSpecDrafter(BlockTree):
    """A tree from a causal block."""

    name = DESCRIPTION.name
