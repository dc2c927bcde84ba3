"""A trained head fills a block at once, corrects each slot by the token drafted before it, and stops where it is unsure (DSpark, in DeepSpec)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit

DESCRIPTION = Description(
    name="dspark",
    label="DSpark",
    explanation="A trained head fills a block in one pass, and each slot is corrected by the token drafted before it.",
    needs="trained head",
    head="dspark",
    policies=("fixed", "confidence", "history", "cost"),
    picture="linked block",
    does="a head fills a block at once, then links its tokens",
    drafting="The head fills the block in one pass, and draws {count} from left to right.",
)


def make(kit: Kit, costs: Costs | None) -> "DSparkDrafter":
    """A drafter with the target's DSpark head."""
    return DSparkDrafter(kit.head(DESCRIPTION.head), costs)


class DSparkDrafter(BlockChain):
    """A chain from a block with a Markov bias. The policies "confidence" and "cost" ask its confidence head, before a slot's token is known."""

    name = DESCRIPTION.name
